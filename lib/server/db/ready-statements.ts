import 'server-only';

type Library = typeof import('@electric-sql/pglite');
type Client = InstanceType<Library['PGlite']>;
type Query = Client['query'];
type Sent = Parameters<Query>;
type Answer = Awaited<ReturnType<Query>>;

/** A statement that the engine has read: its name there, the type numbers of its values, and how often it ran since it was planned. */
type Ready = { name: string; types: readonly number[] | null; runs: number };

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
  readonly #library: Library;
  /** By text, the latest used last. */
  readonly #known = new Map<string, Ready>();
  /** Names that the engine is to forget. */
  #left: string[] = [];
  #names = 0;

  constructor(client: Client, library: Library) {
    this.#client = client;
    this.#library = library;
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
      ready.types = null;
    }
    this.#names += 1;
    return { name: `ready_${this.#names}`, types: null, runs: 0 };
  }

  /** Runs it while nothing else has the engine. */
  run(ready: Ready, [text, values = [], options]: Sent): Promise<Answer> {
    const { protocol, parse } = this.#library;
    const { serialize } = protocol;
    return this.#client.runExclusive(async () => {
      try {
        if (ready.types === null || ready.runs >= RUNS_OF_A_PLAN) await this.#prepare(ready, text);
        ready.runs += 1;
        const bound = serialize.bind({ statement: ready.name, values: this.#written(values, ready.types ?? []) });
        const { messages } = await this.#client.execProtocol(
          Buffer.concat([bound, serialize.describe({ type: 'P' }), serialize.execute({}), serialize.sync()]),
        );
        const [result] = parse.parseResults(messages, this.#client.parsers, options);
        return result as Answer;
      } catch (error) {
        // Also where a table was changed so that the plan does not fit any more: it is read anew at the next call (lib/server/README.md, 46).
        ready.types = null;
        throw error;
      }
    });
  }

  async #prepare(ready: Ready, text: string): Promise<void> {
    const { serialize } = this.#library.protocol;
    const { name } = ready;
    const forgotten = [name, ...this.#left.splice(0)];
    const { messages } = await this.#client.execProtocol(
      Buffer.concat([
        ...forgotten.map((each) => serialize.close({ type: 'S', name: each })),
        serialize.parse({ name, text }),
        serialize.describe({ type: 'S', name }),
        serialize.sync(),
      ]),
    );
    ready.types = this.#library.parse.parseDescribeStatementResults(messages);
    ready.runs = 0;
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
export function keepStatementsReady(client: Client, library: Library): void {
  const statements = new ReadyStatements(client, library);
  const { query, transaction } = client;
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
}
