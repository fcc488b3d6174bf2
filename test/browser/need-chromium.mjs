import { findChromium } from './chromium.mjs';

/** Ends the run with one line where there is no browser: jest would show a stack for each file. */
export default function needChromium() {
  if (findChromium()) return;
  process.stderr.write('The browser tests need Chromium: install the package chromium.\n');
  process.exit(1);
}
