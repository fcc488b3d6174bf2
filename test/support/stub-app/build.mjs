import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

appendFileSync('builds.log', 'begin\n');
rmSync('dist', { recursive: true, force: true });
cpSync('src', 'dist/src', { recursive: true });
cpSync('libs', 'dist/libs', { recursive: true });
// Without it, a build counts as cut short.
mkdirSync('dist/modules/src/start', { recursive: true });
writeFileSync('dist/modules/src/start/supervisor.js', '');
appendFileSync('builds.log', 'end\n');
