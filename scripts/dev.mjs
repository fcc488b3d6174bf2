// npm run dev: npm start on the compiled modules, without bundles. The API and the worker restart when you save
// a file of theirs, and take a debugger on ports 9229 and 9230; Vite serves the page and reloads it.
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { complain, say } from './start/console.mjs';
import { installAndBuild } from './start/install.mjs';
import { listenForStop } from './start/stop-signals.mjs';

const root = resolve(import.meta.dirname, '..');
const env = { PORT: '3000', ...process.env };
const children = [];

const launch = (program, args, stdio) => {
  const bin = join(root, 'node_modules/.bin', program);
  const child = spawn(bin, args, { cwd: root, env, stdio });
  child.once('error', (error) => complain(`${program}: ${error.message}`));
  children.push(child);
  return child;
};

/** Resolves when the compiler has written everything once. */
const compiled = () =>
  new Promise((done, fail) => {
    const args = ['build', '--watch', '--preserveWatchOutput'];
    const compiler = launch('nest', args, ['ignore', 'pipe', 'inherit']);
    compiler.once('exit', (code) => fail(new Error(`the compiler ended with exit code ${code}`)));
    compiler.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      if (/Found \d+ errors?\./.test(chunk)) done();
    });
  });

const watched = (script, port) => ({
  script: `dist/modules/src/${script}.js`,
  options: ['--watch', '--watch-preserve-output', '--enable-source-maps', `--inspect=${port}`],
});

let exitCode = 1;
try {
  await installAndBuild(root);
  await compiled();
  launch('vite', ['web', '--port', '5173', '--strictPort'], ['ignore', 'ignore', 'inherit']);
  say('The page reloads at http://localhost:5173/dashboard/');
  const programs = { api: watched('main', 9229), worker: watched('worker', 9230) };
  const { run } = await import('../dist/modules/src/start/supervisor.js');
  exitCode = await run({ root, env, programs, stop: listenForStop() });
} catch (error) {
  complain(error.message);
}
for (const child of children) child.kill();
process.exit(exitCode);
