import 'server-only';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DataStore, Upload } from '@tus/server';
import { logWarning } from '../../base/log';
import type { Context } from '../../context';
import { allDone } from '../../objects/exact';
import { type ObjectKey, type ObjectStore, uploadKey } from '../../objects/port';
import { guardContent, RefusedContent } from '../guard';
import { diskFull, RESERVE_BYTES } from '../room';
import { askToLetGo } from './locker';

const opened = new WeakMap<ObjectStore, Promise<DataStore>>();

/** The store of this context as the tus server writes to it; the first bytes of a file are looked at while they come in. */
export function pieceStore({ objects }: Context): Promise<DataStore> {
  const known = opened.get(objects) ?? objects.pieces().then((store) => guarded(store, objects));
  opened.set(objects, known);
  return known;
}

function guarded(store: DataStore, objects: ObjectStore): DataStore {
  const write = store.write.bind(store);
  store.write = async (source, id, offset) => {
    // A file that began with a few bytes only, before its line broke, is looked at again when it is whole.
    const guard = guardContent(Number.POSITIVE_INFINITY, { isPart: true });
    if (offset > 0) return write(source, id, offset).catch((error: unknown) => sayDiskFull(objects, error));
    let end = offset;
    try {
      const written = write(guard.stream, id, offset).then((value) => {
        end = value;
      });
      await allDone(pipeline(source, guard.stream), written);
    } catch (error) {
      if (guard.refusal()) throw error;
      await sayDiskFull(objects, error);
    }
    return end;
  };
  return store;
}

/** The store's own error does not tell why; a disk without room does. */
async function sayDiskFull(objects: ObjectStore, error: unknown): Promise<never> {
  const disk = await objects.disk();
  const full = diskFull();
  if (disk && disk.freeBytes < RESERVE_BYTES && !full.ok) throw new RefusedContent(full.error);
  throw error;
}

/** Begins an upload of so many bytes. */
export async function beginPieces(ctx: Context, id: string, bytes: number): Promise<void> {
  const store = await pieceStore(ctx);
  await store.create(new Upload({ id: uploadKey(id), size: bytes, offset: 0 }));
}

/** Makes one object of an upload whose bytes are all there, as when a server ended before it could. */
export async function joinPieces(ctx: Context, id: string, bytes: number): Promise<void> {
  const store = await pieceStore(ctx);
  await store.write(Readable.from([]), uploadKey(id), bytes);
}

/** Forgets the beginnings of an upload, and has whoever still writes to it stop. The object, if it is whole, goes with them. */
export async function dropPieces(ctx: Context, id: string): Promise<void> {
  const key = uploadKey(id);
  await askToLetGo(ctx, key);
  const store = await pieceStore(ctx);
  try {
    await store.remove(key);
  } catch (error) {
    // Not begun, or whole and joined already.
    if ((error as { status_code?: number }).status_code !== 404) {
      logWarning('upload.drop', 'The beginnings of an upload could not be removed yet; the sweep does it.');
    }
  }
  await forgetMarks(ctx, id);
}

/** Removes what lies beside an object that is whole by now, or gone. */
export async function forgetMarks({ objects }: Context, id: string): Promise<void> {
  const besides: ObjectKey[] =
    objects.kind === 'disk' ? [`${uploadKey(id)}.json`] : [`${uploadKey(id)}.info`, `${uploadKey(id)}.part`];
  for (const key of besides) await objects.remove(key);
}
