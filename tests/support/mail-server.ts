import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived: whom it is for, and its source. */
export type Received = { to: string[]; source: string };

/** A mail server of the tests. `take` gets each mail, and may throw to refuse it. */
export function startMailServer(take: (mail: Received) => void): Promise<{ url: string; stop(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        try {
          take({ to, source: Buffer.concat(chunks).toString('utf8') });
          done();
        } catch (error) {
          done(error as Error);
        }
      });
    },
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.server.address() as AddressInfo;
      resolve({
        url: `smtp://127.0.0.1:${port}`,
        stop: () => new Promise((stopped) => server.close(() => stopped())),
      });
    });
  });
}
