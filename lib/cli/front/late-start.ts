import { createHash } from 'node:crypto';
import { eventOs, marketingChannel } from '../../catalog/limits';
import { VERSION_CODE } from '../../contract/headers';

/** A page whose scripts come after its first paint, and the file that holds what was written into it of them. */
export type LatePage = { html: string; path: string; script: string };

/** When the scripts come: once the page is painted, or once it has all it shows and is idle as well. */
export type LateStart = 'painted' | 'idle';

/** The framework's scripts, and the hints that fetch them early. */
const chunk = /<script src="(\/_next\/static\/chunks\/[^"]+)" async=""><\/script>/g;
const hint = /<link rel="preload" as="script"[^>]*>/g;
/** What starts the framework's program, and the payload that it starts with. */
const starter = /<script id="_R_">([\s\S]*?)<\/script>/;
const payload = /<script>((?:\(self\.__next_f=|self\.__next_f\.push)[\s\S]*?)<\/script>/g;
/** What a browser installs an app from, which waits for nobody: the framework puts the link back. */
const manifest = /<link rel="manifest"[^>]*>/;
const end = '</body>';

/** How the program is started: once these chunks are there, these modules are run. */
type Start = { otherChunks: string[]; runtimeModuleIds: ModuleId[] };
type ModuleId = number | string;
/** Modules that take long to start, by the chunk that they are in (lib/cli/steps/chunks.mjs). */
export type HeavyModules = Record<string, ModuleId[]>;

const push = /\(globalThis\["TURBOPACK"\] \|\| \(globalThis\["TURBOPACK"\] = \[\]\)\)\.push\((\{.*\})\);?\s*$/;

/**
 * What starts the program, in several turns: each heavy module is run in one of its own, and then what needs all of them. Between two the
 * browser hears who presses and draws. A module of ours that is run once the chunks are there does that, as only a module can run others.
 * What is written in a way that we do not know stays as it is.
 */
function inTurns(text: string, heavy: HeavyModules): string {
  const found = push.exec(text);
  if (!found?.[1]) return text;
  const { otherChunks, runtimeModuleIds } = JSON.parse(found[1]) as Start;
  const first = otherChunks.flatMap((chunk) => heavy[chunk] ?? []);
  if (first.length === 0) return text;
  const turns = JSON.stringify([...first, ...runtimeModuleIds]);
  const run = `(c)=>{let ids=${turns},next=()=>{let id=ids.shift();if(ids.length)setTimeout(next);c.r(id)};next()}`;
  const start = JSON.stringify({ otherChunks, runtimeModuleIds: ['turns'] } satisfies Start);
  return text.replace(push, () => `((t)=>{t.push(["turns","turns",${run}]);t.push(${start})})(self.TURBOPACK||=[]);`);
}

/** Where events go (services/events.ts), and the event of a page that is left before it is alive; the inline script fills in the rest. */
function unseenView(origin: string, env: NodeJS.ProcessEnv) {
  const host = env.NEXT_PUBLIC_EVENT_HOST || env.NEXT_PUBLIC_PRODUCT_API_URL || '/api/v1';
  const view = {
    apkChannel: '',
    prevDocument: '',
    domain: new URL(origin).hostname,
    eventCode: 'page_view',
    eventType: 'view',
    extend: '{}',
    ip: '',
    ipCountryCode: '',
    marketingChannel,
    os: eventOs,
    userId: '',
    version: VERSION_CODE,
  };
  return { host: `${host}/event/track/log`, view };
}

/**
 * Takes the framework's scripts out of a page that is seen before it needs them. Its inline ones go to a file of their own, in an order that
 * lets scripts come in any: the payload first, and last what starts the program. The inline script (lib/utils/boot.ts) finds all of them
 * in a data block. Null for a page that has no such scripts.
 */
export function startLate(
  html: string,
  origin: string,
  starts: LateStart,
  heavy: HeavyModules = {},
  env: NodeJS.ProcessEnv = process.env,
): LatePage | null {
  const start = starter.exec(html);
  const payloads = [...html.matchAll(payload)].map(([, text = '']) => text);
  const chunks = [...html.matchAll(chunk)].map(([, path = '']) => path);
  if (!start || payloads.length === 0 || !html.includes(end)) return null;
  const script = [...payloads, inTurns(start[1] ?? '', heavy)].join(';\n');
  const path = `/_next/static/late/${createHash('sha256').update(script).digest('base64url').slice(0, 22)}.js`;
  const late = JSON.stringify({
    src: [path, ...chunks],
    ...unseenView(origin, env),
    ...(starts === 'painted' && { now: true }),
  }).replaceAll('<', '\\u003c');
  const bare = [chunk, hint, payload, manifest]
    .reduce((text, part) => text.replace(part, ''), html)
    .replace(start[0], '');
  return { html: bare.replace(end, `<script id="late" type="application/json">${late}</script>${end}`), path, script };
}
