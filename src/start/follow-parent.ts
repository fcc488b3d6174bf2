// Loaded with --import into every Node process that the supervisor starts: when the supervisor
// goes away, even by SIGKILL, the process stops as if it had been asked to.
const stopWithinMs = 30_000;

function stop(): void {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopWithinMs).unref();
}

if (process.connected) {
  process.once('disconnect', stop);
  // The listener alone would keep an otherwise finished process alive.
  process.channel?.unref();
} else {
  stop();
}
