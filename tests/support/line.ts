import net from 'node:net';

/** A line between browser and server that a test can cut: what it carries towards the server is counted. */
export type Line = {
  /** Bytes that went to the server since the last cut was set. */
  carried(): number;
  /** Cuts the line once so many more bytes have gone to the server; nothing gets through until `mend`. */
  cutAfter(bytes: number): void;
  isCut(): boolean;
  /** After so many more bytes what is connected goes silent without an end, as when a machine slept; new connections get through. */
  silenceAfter(bytes: number): void;
  mend(): void;
  close(): Promise<void>;
};

/** Opens a line on `port` to the server on `target`, both on this machine. */
export async function openLine(port: number, target: number): Promise<Line> {
  let carried = 0;
  let limit = Number.POSITIVE_INFINITY;
  let isCut = false;
  let silenceAt = Number.POSITIVE_INFINITY;
  const sockets = new Set<net.Socket>();
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const silence = () => {
    silenceAt = Number.POSITIVE_INFINITY;
    for (const socket of sockets) {
      socket.removeAllListeners('data');
      socket.unpipe();
      socket.pause();
    }
  };
  const server = net.createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = net.connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    near.on('data', (bytes) => {
      carried += bytes.length;
      if (!far.write(bytes)) {
        near.pause();
        far.once('drain', () => near.resume());
      }
      if (carried >= limit) cut();
      if (carried >= silenceAt) silence();
    });
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    carried: () => carried,
    cutAfter(bytes) {
      carried = 0;
      limit = bytes;
    },
    isCut: () => isCut,
    silenceAfter(bytes) {
      carried = 0;
      silenceAt = bytes;
    },
    mend() {
      limit = Number.POSITIVE_INFINITY;
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
