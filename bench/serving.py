"""`hinny serve` on a port of its own and what asks it, for bench/load, bench/questions and bench/shards."""
import contextlib
import http.client
import re
import subprocess
import sys
import time
import urllib.parse


@contextlib.contextmanager
def served(hinny, index, before=()):
    """The process, which answers on one thread, and its address, http://HOST:PORT/; it ends with the block.
    `before`: a command that starts it, as taskset."""
    command = [*before, hinny, "serve", index, "--port", "0", "--threads", "1", "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = ""
            for line in server.stderr:
                if found := re.search(r"http://\S+", line):
                    break
            else:
                sys.exit(f"hinny serve {index}: {line.strip() or 'ended'}")
            yield server, found.group()
        finally:
            server.terminate()


class Client:
    """One connection."""

    def __init__(self, address):
        self.link = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc)

    def ask(self, **words):
        """Milliseconds of a search by these parameters, until its answer has been read."""
        return self.answer(**words)[0]

    def answer(self, **words):
        """These, and what it said."""
        path = f"/v1/search?{urllib.parse.urlencode(words)}"
        start = time.perf_counter()
        self.link.request("GET", path)
        answer = self.link.getresponse()
        said = answer.read()
        taken = (time.perf_counter() - start) * 1e3
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status} {said.decode(errors='replace')}")
        return taken, said
