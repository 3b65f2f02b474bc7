"""`hinny serve` on an index that changes."""
import http.client
import time

from running import PATIENCE, Wrong
from faulty import port_in  # in the folder that running has added

FOLLOWS = 10  # seconds in which it must have taken up a new index


def until(done, seconds):
    """-> whether it came true in time"""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Server:
    """`states`: [state of the index, when another one followed], the latest last."""

    def __init__(self, programs, index, state):
        self.states = [[state, None]]
        self.log = open(programs.place.parent / "serve.log", "wb+")
        self.process = programs.start(["hinny-vision", "serve", index, "--port", "0", "--quiet"], stderr=self.log)
        said = lambda: (programs.place.parent / "serve.log").read_text(errors="replace")
        until(lambda: port_in(said()) or self.process.poll() is not None, PATIENCE)
        self.port = port_in(said())
        if not self.port:
            raise Wrong(f"no server: {said()}")

    def close(self):
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        self.log.close()

    def is_now(self, state):
        now = time.monotonic()
        self.states[-1][1] = now
        self.states = [one for one in self.states if one[1] > now - FOLLOWS] + [[state, None]]

    def ask(self, body):
        if self.process.poll() is not None:
            raise Wrong(f"the server ended with {self.process.returncode}")
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        link.request("POST", "/v1/search", body, {"Content-Type": "application/json"})
        answer = link.getresponse()
        found = answer.status, answer.read()
        link.close()
        return found

    def follow(self, check):
        """Calls check(state) until it accepts the latest state; whatever it refuses an earlier one must be."""
        end = time.monotonic() + FOLLOWS
        while True:
            try:
                return check(self.states[-1][0])
            except Wrong as wrong:
                if time.monotonic() > end:
                    raise
                if not any(accepts(check, state) for state, _ in self.states):
                    raise Wrong(f"the answer of no state that there was: {wrong}") from None
            time.sleep(0.05)


def accepts(check, state):
    try:
        check(state)
        return True
    except Wrong:
        return False
