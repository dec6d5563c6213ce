import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { type DecodedStream, decodeStream } from './filters';
import type { PdfScan } from './scan';
import {
  entriesOf,
  nameOf,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
  referencedNumbers,
  referenceOf,
} from './values';

/** The objects of a document while it is being put together again. */
export class PdfModel {
  readonly objects: Map<number, PdfObject>;
  readonly trailers: readonly PdfDictionary[];
  readonly job: EngineJob;
  #budget: number;
  readonly #decoded = new Map<number, DecodedStream>();

  constructor(scan: PdfScan, job: EngineJob) {
    this.objects = scan.objects;
    this.trailers = scan.trailers;
    this.job = job;
    this.#budget = job.limits.inflatedBytes;
  }

  /** Follows a reference, through at most 16 steps; undefined when it leads nowhere. */
  readonly resolve = (value: PdfValue | undefined): PdfValue | undefined => {
    let current = value;
    for (let step = 0; step < 16 && current?.kind === 'reference'; step++)
      current = this.objects.get(current.number)?.value;
    return current?.kind === 'reference' ? undefined : current;
  };

  /** The dictionary behind a value, empty when there is none. */
  dictionary(value: PdfValue | undefined): PdfDictionary {
    return entriesOf(this.resolve(value));
  }

  /** The name in `key` of an object's dictionary. */
  nameIn(object: PdfObject, key: string): string | null {
    return nameOf(this.resolve(entriesOf(object.value).get(key)));
  }

  /** The decoded stream of an object; decoded once. */
  decode(object: PdfObject): DecodedStream {
    const known = this.#decoded.get(object.number);
    if (known) return known;
    const options = { maxOutput: Math.max(1024, this.#budget), deadline: this.job.deadline, resolve: this.resolve };
    const decoded = decodeStream(object.stream ?? Buffer.alloc(0), entriesOf(object.value), options);
    this.#budget -= decoded.data.length;
    this.#decoded.set(object.number, decoded);
    return decoded;
  }

  /** Adds an object under a number that is free, and that nothing refers to: what is lost must not become something else. */
  add(value: PdfValue, stream: Buffer | null = null): PdfObject {
    let number = this.#next;
    this.#referenced ??= referencedNumbers([...this.objects.values()].map(({ value: known }) => known));
    while (this.objects.has(number) || this.#referenced.has(number)) number++;
    this.#next = number + 1;
    const object: PdfObject = { number, generation: 0, value, stream, offset: Number.MAX_SAFE_INTEGER, flaws: [] };
    this.objects.set(number, object);
    return object;
  }

  #next = 1;
  #referenced: Set<number> | null = null;

  /** The newest catalogue that a trailer leads to, or any other; null when none survived. */
  catalogue(): PdfObject | null {
    const candidates = this.trailers
      .map((trailer) => this.objects.get(referenceOf(trailer.get('Root')) ?? -1))
      .reverse();
    const typed = [...this.objects.values()].filter((object) => this.nameIn(object, 'Type') === 'Catalog').reverse();
    const all = [...candidates, ...typed].filter((object): object is PdfObject => object !== undefined);
    return (
      all.find((object) => this.dictionary(entriesOf(object.value).get('Pages')).size > 0) ??
      all.find((object) => object.value.kind === 'dictionary') ??
      null
    );
  }
}
