#!/usr/bin/env python3
"""The preview and its review form in headless Chromium: preview.mjs."""
import preview_kit

preview_kit.run("preview.mjs")
