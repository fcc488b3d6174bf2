import { createServer } from 'node:http';

/** A process as the supervisor sees it: ready on its port, gone on SIGTERM, what it was given at /env. */
export function serve(port) {
  if (process.env.LOG_LEVEL === 'loud') {
    console.log('LOG_LEVEL is "loud"; it takes fatal, error, warn, info, debug or trace');
    process.exit(1);
  }
  const server = createServer((request, response) => {
    if (request.url === '/env') return response.end(JSON.stringify(process.env));
    if (request.url === '/fail') {
      console.log(JSON.stringify({ level: 50, msg: 'the stub was told to fail' }));
    }
    response.end('{}');
  });
  server.listen(Number(port), process.env.HOST);
  process.once('SIGTERM', () => {
    console.log('stopping');
    if (process.env.STUB_HANGS) return;
    server.close();
    server.closeAllConnections();
  });
}
