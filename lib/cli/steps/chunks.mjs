import { readFileSync, writeFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { filesBelow } from './fingerprint.mjs';

/**
 * Tells the browser to compile all functions of a file while it is fetched, off the thread that the page needs (V8, "explicit compile
 * hints"; others read it as a comment). Without it a module is compiled when it is called, and nothing else happens meanwhile.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Characters from which a browser compiles a file while it is fetched; smaller ones would be compiled whole in its place. */
const STREAMED = 30_000;

/** Characters of a module that takes so long to start that it is done in a turn of its own: that of React DOM has 200,000. */
const HEAVY = 100_000;

/**
 * Ids of the heavy modules of a chunk, which calls `TURBOPACK.push([script, id, …, factory, …])` and does nothing else by itself.
 *
 * @param {string} text the chunk
 * @returns {(number | string)[]} none where it is written in some other way
 */
export function heavyModules(text) {
  const place = { TURBOPACK: [] };
  try {
    runInNewContext(text, { ...place, globalThis: place }, { timeout: 5000 });
  } catch {
    return [];
  }
  const heavy = [];
  let ids = [];
  for (const part of place.TURBOPACK.flat().slice(1)) {
    if (typeof part === 'number' || typeof part === 'string') ids.push(part);
    else if (typeof part === 'function') {
      if (String(part).length >= HEAVY) heavy.push(...ids.slice(0, 1));
      ids = [];
    }
  }
  return heavy;
}

/**
 * Puts the hint before each chunk that is large enough for it.
 *
 * @param {string} folder `static/chunks` of a build
 * @returns {Record<string, (number | string)[]>} heavy modules by the chunk's address below `_next`
 */
export function prepareChunks(folder) {
  const heavy = {};
  for (const path of filesBelow(folder)) {
    if (!path.endsWith('.js')) continue;
    const text = readFileSync(path, 'utf8');
    if (text.length < STREAMED) continue;
    if (!text.startsWith(COMPILE_HINT)) writeFileSync(path, COMPILE_HINT + text);
    const ids = text.length < HEAVY ? [] : heavyModules(text);
    if (ids.length > 0) heavy[`static/chunks/${path.slice(folder.length + 1)}`] = ids;
  }
  return heavy;
}
