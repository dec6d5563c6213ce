import 'server-only';
import { serialize } from 'pg-protocol';
import { type BackendMessage, NotificationResponseMessage } from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import { answerOf, type Described, describedIn } from './statement-answer';

type Client = import('@electric-sql/pglite').PGlite;
type Query = Client['query'];
type Sent = Parameters<Query>;
type Answer = Awaited<ReturnType<Query>>;

/** A statement that the engine has read: its name there, what it told of it, and how often it ran since it was planned. */
type Ready = { name: string; described: Described | null; runs: number };
type Listener = { channel: string; callback: (payload: string) => void };

/** So many statements are kept ready; the one that was not asked for the longest makes way. */
const MOST = 120;

/**
 * After so many runs a statement is planned anew. PostgreSQL does so when it hears that a table has grown; of the embedded engine's parts
 * none goes round to tell it (PostgreSQL manual, "The Autovacuum Daemon").
 */
const RUNS_OF_A_PLAN = 1000;

/**
 * Keeps statements ready that come again: the library has each read, described and planned at every call, in six turns at the engine, which
 * takes four times as long as to run it. One that comes a second time gets a name there, and from then on its values and the request to run
 * it are one message (PostgreSQL manual, "Extended Query").
 */
class ReadyStatements {
  readonly #client: Client;
  readonly #listeners = new Set<Listener>();
  /** By text, the latest used last. */
  readonly #known = new Map<string, Ready>();
  /** Names that the engine is to forget. */
  #left: string[] = [];
  #names = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Has `callback` told of what is sent to a channel while a statement that is kept ready runs, until what it gives back is called. */
  listen(channel: string, callback: Listener['callback']): () => void {
    const listener = { channel, callback };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The statement, when it came before; null for a new one, and for what the library alone can do. */
  find([text, , options]: Sent): Ready | null {
    if (this.#client.closed || options?.blob || options?.paramTypes || options?.onNotice || options?.serializers)
      return null;
    const known = this.#known.get(text);
    this.#known.delete(text);
    this.#known.set(text, known ?? this.#added());
    return known ?? null;
  }

  /** A new entry under a name of its own; where there are many, the engine forgets another. */
  #added(): Ready {
    const [longest] = this.#known;
    if (longest && this.#known.size >= MOST) {
      const [text, ready] = longest;
      this.#known.delete(text);
      this.#left.push(ready.name);
      // Whoever still waits to run it reads it anew.
      ready.described = null;
    }
    this.#names += 1;
    return { name: `ready_${this.#names}`, described: null, runs: 0 };
  }

  /** Runs it while nothing else has the engine. */
  run(ready: Ready, [text, values = [], options]: Sent): Promise<Answer> {
    return this.#client.runExclusive(async () => {
      try {
        const known = ready.runs < RUNS_OF_A_PLAN ? ready.described : null;
        const { types, fields } = known ?? (await this.#prepare(ready, text));
        ready.runs += 1;
        const bound = serialize.bind({ statement: ready.name, values: this.#written(values, types) });
        const heard = await this.#send(Buffer.concat([bound, serialize.execute(), serialize.sync()]));
        const parsers = [options?.parsers, this.#client.parsers];
        return answerOf(heard, fields, { rowMode: options?.rowMode, parsers }) as Answer;
      } catch (error) {
        // Also where a table was changed so that the plan does not fit any more: it is read anew at the next call (lib/server/README.md, 46).
        ready.described = null;
        throw error;
      }
    });
  }

  async #prepare(ready: Ready, text: string): Promise<Described> {
    const { name } = ready;
    const forgotten = [name, ...this.#left.splice(0)];
    const heard = await this.#send(
      Buffer.concat([
        ...forgotten.map((each) => serialize.close({ type: 'S', name: each })),
        serialize.parse({ name, text }),
        serialize.describe({ type: 'S', name }),
        serialize.sync(),
      ]),
    );
    ready.described = describedIn(heard);
    ready.runs = 0;
    return ready.described;
  }

  /**
   * What the engine answers, read by the driver's own parser: the library's takes longer than the engine works. Throws the error that it
   * tells of; whoever listens to a channel hears of it before anybody is answered.
   */
  async #send(message: Buffer): Promise<BackendMessage[]> {
    const heard: BackendMessage[] = [];
    const parser = new Parser();
    // Copied, since the bytes are the engine's memory; and read when it has come back, as nothing may be thrown through it.
    const parts: Buffer[] = [];
    await this.#client.execProtocolRawStream(message, { onRawData: (bytes) => parts.push(Buffer.from(bytes)) });
    for (const part of parts) parser.parse(part, (each) => heard.push(each));
    let failed: unknown = null;
    for (const each of heard) {
      if (each.name === 'error') failed ??= each;
      if (each instanceof NotificationResponseMessage) this.#tell(each);
    }
    if (failed) throw failed;
    return heard;
  }

  #tell({ channel, payload }: NotificationResponseMessage): void {
    for (const listener of this.#listeners) if (listener.channel === channel) listener.callback(payload);
  }

  /** Values as the engine reads them, by the library's own table of types. */
  #written(values: readonly unknown[], types: readonly number[]): (string | null)[] {
    return values.map((value, index) => {
      if (value === null || value === undefined) return null;
      const write = this.#client.serializers[types[index] ?? 0];
      return write ? write(value) : String(value);
    });
  }
}

/** Keeps the statements of this client ready, inside transactions and out of them. */
export function keepStatementsReady(client: Client): void {
  const statements = new ReadyStatements(client);
  const { query, transaction, listen } = client;
  client.query = ((...sent: Sent) => {
    const ready = statements.find(sent);
    if (!ready) return query.apply(client, sent);
    return client._runExclusiveTransaction(() => statements.run(ready, sent));
  }) as Query;
  client.transaction = ((work: Parameters<typeof transaction>[0]) =>
    transaction.call(client, (tx) => {
      const plain = tx.query;
      tx.query = ((...sent: Sent) => {
        const ready = tx.closed ? null : statements.find(sent);
        return ready ? statements.run(ready, sent) : plain.apply(tx, sent);
      }) as Query;
      return work(tx);
    })) as typeof transaction;
  client.listen = async (channel, callback, tx) => {
    const end = await listen.call(client, channel, callback, tx);
    const forget = statements.listen(channel, callback);
    return (within) => {
      forget();
      return end(within);
    };
  };
}
