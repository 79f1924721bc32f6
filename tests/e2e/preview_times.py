#!/usr/bin/env python3
"""What the preview shows within a second, in headless Chromium: preview_times.mjs."""
import preview_kit

preview_kit.run("preview_times.mjs")
