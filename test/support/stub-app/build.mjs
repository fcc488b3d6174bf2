import { appendFileSync, cpSync, rmSync } from 'node:fs';

appendFileSync('builds.log', 'begin\n');
rmSync('dist', { recursive: true, force: true });
cpSync('src', 'dist/src', { recursive: true });
cpSync('libs', 'dist/libs', { recursive: true });
appendFileSync('builds.log', 'end\n');
