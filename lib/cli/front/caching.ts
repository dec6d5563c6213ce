/** What a cache is told of an answer. */
type Caching = Record<string, string>;

/** Caches in front may show a page so long without asking, then so long while they ask anew, and so long while we are away: seconds. */
const PAGE_FRESH = 300;
const PAGE_WHILE_ASKING = 3600;
const PAGE_WHILE_AWAY = 43_200;

/** Names by which caches let go of what they keep: all pages, or those of one release, when the next one is there. */
function named(names: readonly string[]): Caching {
  return { 'surrogate-key': names.join(' '), 'cache-tag': names.join(',') };
}

/**
 * A prerendered page is the same for everybody, and the files of its release are served for a day after it: caches in front may keep it
 * (RFC 9213), and show it while they ask anew or while we are away (RFC 5861). Browsers ask each time, which costs an answer without a body.
 */
export function pageCaching(release: string): Caching {
  return {
    'cache-control': 'public, max-age=0, must-revalidate',
    'cdn-cache-control': `public, max-age=${PAGE_FRESH}, stale-while-revalidate=${PAGE_WHILE_ASKING}, stale-if-error=${PAGE_WHILE_AWAY}`,
    ...named(['pages', `release-${release}`]),
  };
}

/** Names under `/_next/static/` hold a hash and may be kept for a year; others keep their name when they change. */
export function fileCaching(path: string, release: string): Caching {
  if (path.startsWith('/_next/static/')) return { 'cache-control': 'public, max-age=31536000, immutable' };
  return {
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    ...named(['files', `release-${release}`]),
  };
}
