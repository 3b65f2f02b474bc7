import os
import signal
import subprocess
import sys
import time

import pytest

import hinny


def options(made, out):
    return dict(data=made / "pictures", features=["builtin-1"], languages=["en", "de"], out=out, threads=1)


def test_train_gives_a_run_to_open(made, tmp_path):
    seen = []
    run = hinny.train("bag", **options(made, tmp_path / "run"), seed=1, set={"train.epochs": 2},
                      on_progress=seen.append)
    assert hinny.Model(run.path).languages == ["en", "de"]
    assert seen == run.metrics and any("validation" in line for line in seen)


def test_what_is_wrong_is_said(made, tmp_path):
    with pytest.raises(ValueError, match="train.epoch"):
        hinny.train("bag", **options(made, tmp_path / "a"), set={"train.epoch": 2})
    with pytest.raises(ValueError, match="nobody"):
        hinny.train("nobody", **options(made, tmp_path / "b"))


def test_ctrl_c_stops_and_resume_goes_on(made, tmp_path):
    code = (f"import hinny; hinny.train('bag', data={str(made / 'pictures')!r}, features='builtin-1', "
            f"languages='en,de', out={str(tmp_path / 'run')!r}, threads=1, set={{'train.epochs': 3000}})")
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    metrics = tmp_path / "run" / "metrics.jsonl"
    until = time.time() + 120
    while time.time() < until and not (metrics.exists() and metrics.stat().st_size > 0):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in process.communicate(timeout=120)[1]
    assert os.path.isdir(tmp_path / "run" / "checkpoint")


def test_import_is_quick_and_free_of_libtorch():
    code = "import hinny, sys; print([l.split()[-1] for l in open('/proc/self/maps') if 'torch' in l or 'opencv' in l])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"[]"
