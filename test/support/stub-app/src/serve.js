import { createServer } from 'node:http';

/** Writes one line of the log that every process of ours writes. */
export function log(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** A process as the supervisor sees it: ready on its port, gone on SIGTERM, what it was given at /env. */
export function serve(port) {
  if (process.env.STUB_FAILS) {
    process.stdout.write('the stub was told to end\n');
    process.exit(1);
  }
  const server = createServer((request, response) => {
    if (request.url === '/fail') log({ level: 50, msg: 'the stub was told to fail' });
    response.end(JSON.stringify(request.url === '/env' ? process.env : {}));
  });
  server.listen(Number(port), process.env.HOST);
  process.once('SIGTERM', () => {
    log({ level: 30, msg: 'stopping' });
    if (process.env.STUB_HANGS) return;
    server.close();
    server.closeAllConnections();
  });
}
