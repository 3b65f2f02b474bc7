"""A folder of pictures, and what happens to it.

Steps are made without looking at the folder, and one that cannot be done (what it moves is not
there, its folder cannot be entered) does nothing: so a history may lose any of its steps.
"""
import os
import pathlib
import shutil

FOLDERS = ["", "a", "a/b", "c", "\u00e9t\u00e9", "disk"]
NAMES = ["1.png", "2.png", "3.PNG", "IMG_5.jpg", "IMG_5.cr2", "IMG_20110304_050607.png", "x y.png", "caf\udce9.png",
         "7.png", "8.png", ".hidden.png", "notes.txt"]
RULES = ["2.png", "3*", "b/", "/a/1.png", "*.jpg", "!IMG*"]
TIMES = [0, 10**9, 1_300_000_000 * 10**9 + 5, 1_700_000_000 * 10**9, 1_700_000_000 * 10**9 + 1, 1_900_000_000 * 10**9,
         -86_400 * 10**9 * 365 * 40 + 3, 10_000_000_000 * 10**9 + 7]
LINKS = ["../outside", "a", ".", "nowhere", "a/1.png", "../outside/o1.png", "c"]


def random_path(rng, folders=FOLDERS):
    return os.path.join(rng.choice(folders), rng.choice(NAMES))


def random_step(rng, contents):
    """-> (what happens, to what...)"""
    kind = rng.choices(
        ["put", "delete", "move", "copy", "touch", "swap", "mode", "link", "empty", "unplug", "plug", "rules", "nomedia",
         "letters", "move folder"], [30, 8, 8, 6, 5, 6, 4, 4, 1, 3, 5, 3, 1, 3, 2])[0]
    path, time = random_path(rng), rng.choice(TIMES) + rng.choice([0, 0, rng.randrange(10**9)])
    folder = rng.choice(FOLDERS[1:])
    if kind == "put":
        return [kind, path, rng.choice(contents), time]
    if kind == "swap":  # another content of the same size and time
        return [kind, path, rng.choice(contents)]
    if kind in ("move", "copy"):
        return [kind, path, random_path(rng)] + ([time] if kind == "copy" else [])
    if kind == "touch":
        return [kind, path, time]
    if kind == "mode":
        return [kind, rng.choice([path, folder]), rng.choice([0, 0o444, 0o755])]
    if kind == "link":
        return [kind, os.path.join(rng.choice(FOLDERS), rng.choice(["way", "7.png", "8.png"])), rng.choice(LINKS)]
    if kind == "rules":
        return [kind, rng.choice(FOLDERS), rng.sample(RULES, rng.randint(0, 2))]
    if kind == "nomedia":
        return [kind, folder, rng.random() < 0.5]
    if kind == "move folder":
        return [kind, folder, rng.choice(FOLDERS[1:] + ["A", "new"])]
    return [kind, path] if kind in ("delete", "letters") else [kind, folder]


class Tree:
    """`root` with a folder `outside` beside it, and `unplugged`, where folders are while they are away."""

    def __init__(self, place, contents):
        self.root, self.contents = place / "pictures", contents
        self.outside, self.unplugged = place / "outside", place / "unplugged"
        for folder in (self.root, self.outside, self.unplugged):
            folder.mkdir()
        for name in ("o1.png", "o2.png"):
            (self.outside / name).write_bytes(contents["d1"].data)
        self.of_data = {content.data: content for content in contents.values()}

    def apply(self, step):
        try:
            getattr(self, "do_" + step[0].replace(" ", "_"))(*step[1:])
        except OSError:
            pass

    def do_put(self, path, content, time):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(self.contents[content].data)
        os.utime(path, ns=(time, time))

    def do_swap(self, path, content):
        path, data = self.root / path, self.contents[content].data
        before = os.stat(path)
        if before.st_size == len(data):
            path.write_bytes(data)
            os.utime(path, ns=(before.st_mtime_ns, before.st_mtime_ns))

    def do_delete(self, path):
        (self.root / path).unlink()

    def do_move(self, path, to):
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        os.rename(self.root / path, self.root / to)

    def do_copy(self, path, to, time):
        data = (self.root / path).read_bytes()
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        (self.root / to).unlink(missing_ok=True)
        (self.root / to).write_bytes(data)
        os.utime(self.root / to, ns=(time, time))

    def do_touch(self, path, time):
        os.utime(self.root / path, ns=(time, time))

    def do_mode(self, path, mode):
        path = self.root / path
        if not path.is_symlink():
            path.chmod(mode)

    def do_link(self, path, target):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target, self.root / path)

    def do_empty(self, folder):
        for item in list((self.root / folder).iterdir()):
            item.unlink() if item.is_symlink() or not item.is_dir() else shutil.rmtree(item)

    def do_unplug(self, folder):
        os.rename(self.root / folder, self.unplugged / folder.replace("/", "_"))

    def do_plug(self, folder):
        os.rename(self.unplugged / folder.replace("/", "_"), self.root / folder)

    def do_rules(self, folder, lines):
        file = self.root / folder / ".hinnyignore"
        file.write_text("".join(line + "\n" for line in lines)) if lines else file.unlink()

    def do_nomedia(self, folder, there):
        file = self.root / folder / ".nomedia"
        file.touch() if there else file.unlink()

    def do_letters(self, path):
        """Its name in other letters, small or large."""
        os.rename(self.root / path, (self.root / path).with_name(pathlib.Path(path).name.swapcase()))

    def do_move_folder(self, folder, to):
        if not (self.root / folder).is_symlink():
            os.rename(self.root / folder, self.root / to)

    def content(self, path):
        """-> the Content of a file; None where it cannot be read, or is no picture's"""
        try:
            return self.of_data.get((self.root / path).read_bytes())
        except OSError:
            return None

    def clear(self):
        """Makes all of it accessible, so that it can be removed."""
        for place in (self.root, self.unplugged):
            for path, folders, _ in os.walk(place):
                for folder in folders:
                    if not os.path.islink(os.path.join(path, folder)):
                        os.chmod(os.path.join(path, folder), 0o755)
