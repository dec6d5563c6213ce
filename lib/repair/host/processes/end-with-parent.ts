/**
 * Ends this process, and the children it started, as soon as the process that started it is gone: when the channel for messages or
 * standard input ends. To be called first thing on the main thread, which must stay free to notice; the work belongs in a thread.
 */
export function endWithParent(): void {
  if (process.channel || process.connected === false) {
    process.on('disconnect', end);
    // The channel may have closed while this program was still loading, before anybody listened: that is never told again.
    if (!process.connected) end();
    return;
  }
  process.stdin.on('end', end).on('close', end).on('error', end);
  process.stdin.resume();
}

/** No clearing up: a file may keep the thread from ever ending. */
function end(): void {
  const role = process.env.MENDARA_SUPERVISED;
  try {
    if (role === 'leader') process.kill(-process.pid, 'SIGKILL');
  } catch {
    // In a PID namespace of its own the group has another number; the namespace ends with this process.
  }
  try {
    if (role) process.kill(process.pid, 'SIGKILL');
  } finally {
    process.exit(3);
  }
}
