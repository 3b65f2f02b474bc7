"""Which pictures a reader of a folder must find."""
import collections
import fnmatch
import os
import pathlib

PICTURES = (".png", ".jpg", ".cr2")


def leaves_out(rules, below, path, is_folder):
    """What the last of a .gitignore's lines that is about the path (of the root) says: None: nothing."""
    verdict, seen = None, os.path.relpath(path, below) if below else path
    for rule in rules:
        wanted, pattern = rule.startswith("!"), rule.lstrip("!")
        if pattern.endswith("/") and not is_folder:
            continue
        pattern = pattern.rstrip("/")
        name = "/" + seen if pattern.startswith("/") else os.path.basename(path)
        if fnmatch.fnmatchcase(name, pattern):
            verdict = not wanted
    return verdict


def find(root, exclude=()):
    """-> {path: its status} of all pictures below, {path: names of its raw files}, what cannot be looked at"""
    found, hidden, seen = {}, [], set()
    folders, links = collections.deque(), collections.deque()

    def visit(folder, rules, wanted):
        status = os.stat(os.path.join(root, folder))
        if (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            folders.append((folder, rules, wanted))

    def follow(link, rules, wanted):
        below = os.path.relpath(os.path.realpath(os.path.join(root, link)), os.path.realpath(root))
        inside = below.split("/")[0] != ".."
        if not inside or any(part.startswith(".") and part not in (".", "..") for part in below.split("/")):
            visit(link, rules, wanted)

    def read(folder, rules, wanted):
        try:
            names = sorted(os.listdir(os.path.join(root, folder)), key=os.fsencode)
            os.stat(os.path.join(root, folder, "."))
        except OSError:
            hidden.append(folder)
            return
        if ".nomedia" in names and not wanted:
            return
        if ".hinnyignore" in names:
            lines = pathlib.Path(root, folder, ".hinnyignore").read_text().splitlines()
            rules = [(folder, lines), *rules]
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.stat(os.path.join(root, path))
            except PermissionError:
                hidden.append(path)
                continue
            except OSError:
                continue  # a link that leads nowhere
            is_folder = os.path.isdir(os.path.join(root, path))
            if name.startswith(".") or not (is_folder or name.lower().endswith(PICTURES)):
                continue
            said = (leaves_out(lines, below, path, is_folder) for below, lines in [("", exclude), *rules])
            verdict = next((one for one in said if one is not None), None)
            if verdict:
                continue
            if not is_folder:
                found[path] = status
            elif os.path.islink(os.path.join(root, path)):
                links.append((path, rules, verdict is False))
            else:
                visit(path, rules, verdict is False)

    visit("", [], True)
    while folders or links:
        read(*folders.popleft()) if folders else follow(*links.popleft())
    raw = collections.defaultdict(list)
    for path in sorted(found, key=os.fsencode):
        stem, ending = os.path.splitext(path)
        made = [other for other in found if os.path.splitext(other)[0] == stem and other.lower().endswith(".jpg")]
        if ending.lower() == ".cr2" and made:
            raw[min(made, key=os.fsencode)].append(os.path.basename(path))
    for path, names in raw.items():
        for name in names:
            del found[os.path.join(os.path.dirname(path), name)]
    return found, raw, hidden
