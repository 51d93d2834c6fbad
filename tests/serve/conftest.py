"""Fixtures of the gateway's tests; they need the extra ``serve``."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from serve_fixtures import brooks, gateway

__all__ = ["brooks", "gateway"]
