import 'server-only';
import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** What the store is divided into. */
export const areas = ['uploads', 'results', 'installers'] as const;
export type Area = (typeof areas)[number];

/** Name of an object: its area, and a name made by the server, never from what a visitor sent. */
export type ObjectKey = `${Area}/${string}`;

/** Size in bytes, and when the object was written. */
export type ObjectHead = { bytes: number; changedAt: Date };

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };

/** A form that a browser sends to the store itself: the fields first, the part named `file` last. Null `url`: this server takes it. */
export type BrowserForm = { url: string | null; fields: Record<string, string> };

/** What a form allows: one object of exactly `bytes` bytes under `key`, from `now` for `seconds`. */
export type FormTerms = { key: ObjectKey; bytes: number; now: Date; seconds: number };

/** How a browser is to see an object that it fetches from the store itself. */
export type LinkTerms = { disposition: string; contentType: string; seconds: number };

/** Room on the disk of the store, in bytes: what is free for us, and all of it. */
export type Disk = { freeBytes: number; totalBytes: number };

/** What an object store does by itself; each true when the store has the rule that we would set. */
export type StoreRules = {
  /** Uploads and results that nobody deleted go after a day, and so do parts of uploads that were given up. */
  expiry: boolean;
  /** Pages of the site may send forms to it (CORS). */
  forms: boolean;
};

/**
 * Where uploads, samples, results and installers lie. Nothing passes through memory as a whole. Errors of the disk or the store are
 * thrown; that an object is not there is an answer.
 */
export type ObjectStore = {
  kind: 'disk' | 's3';
  /** One line for a person: what it is and where it lies. */
  describe: string;
  /** Puts a stream of exactly `bytes` bytes in place, whole or not at all. */
  put(key: ObjectKey, body: Readable, bytes: number): Promise<void>;
  /** Moves a finished file of the scratch folder into the store. */
  take(key: ObjectKey, file: string): Promise<void>;
  /** Streams an object, or a part of it; null when it is not there. */
  get(key: ObjectKey, range?: ByteRange): Promise<Readable | null>;
  head(key: ObjectKey): Promise<ObjectHead | null>;
  /** Removes an object, if it is there. */
  remove(key: ObjectKey): Promise<void>;
  list(area: Area): AsyncIterable<{ key: ObjectKey } & ObjectHead>;
  /**
   * Gives `work` a file with an object's content, to be read only, and null when the object is not there. A copy lies in `scratch` and
   * goes afterwards; it is made only where the store has no file of its own. Ends with the signal.
   */
  lend<T>(key: ObjectKey, scratch: string, work: (file: string | null) => Promise<T>, signal?: AbortSignal): Promise<T>;
  signForm(terms: FormTerms): Promise<BrowserForm>;
  /** What takes an object in pieces, for the tus server; keys are its ids. */
  pieces(): Promise<DataStore>;
  /** An address that opens one object for so long; null where this server has to send it. */
  link(key: ObjectKey, terms: LinkTerms): Promise<string | null>;
  /** Makes what the store lacks before its first use. Throws a `StartError` when it cannot be used. */
  open(): Promise<void>;
  /** Writes something and removes it again. Rejects when that can't be done. */
  prove(): Promise<void>;
  /** How its disk stands; null where nothing tells. */
  disk(): Promise<Disk | null>;
  /** The rules that a store of its own can keep; null where our job alone deletes. */
  rules: {
    set(siteOrigins: readonly string[]): Promise<void>;
    read(siteOrigins: readonly string[]): Promise<StoreRules>;
  } | null;
};

/** The object of an uploaded file, by its task's id. */
export const uploadKey = (id: string): ObjectKey => `uploads/${id}`;

/** The object of a result, by the name that job and attempt gave it. */
export const resultKey = (name: string): ObjectKey => `results/${name}`;

/** The object of an installer, by its file's name. */
export const installerKey = (name: string): ObjectKey => `installers/${name}`;

const safeNames: Record<Area, RegExp> = {
  uploads: /^[0-9a-f][0-9a-f.-]{0,120}(\.(info|json|part))?$/,
  results: /^[0-9a-f][0-9a-f.-]{0,120}$/,
  installers: /^[a-z][a-z0-9-]{0,40}\.(exe|dmg)$/,
};

/** Splits a key. Throws for a name that the server would not make, so that none leads out of its area. */
export function partsOf(key: ObjectKey): { area: Area; name: string } {
  const slash = key.indexOf('/');
  const area = areas.find((candidate) => candidate === key.slice(0, slash));
  const name = key.slice(slash + 1);
  if (!area || !safeNames[area].test(name)) throw new Error('A name in the store must be made by the server.');
  return { area, name };
}
