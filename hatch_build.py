"""Builds the page before a wheel or a source archive is made, unless it is built already."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageBuildHook(BuildHookInterface[Any]):
    """Builds the page from `web` into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless it exists or the install is editable."""
        root = Path(self.root)
        if version == "editable" or (root / "src/mandala/page/index.html").exists():
            return
        npm = shutil.which("npm")
        if npm is None:
            print("mandala: no npm, so the package has no page", file=sys.stderr)
            return
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=root / "web", check=True)
        subprocess.run([npm, "run", "build"], cwd=root / "web", check=True)
