import { afterEach, describe, expect, it, vi } from 'vitest';
import { startLate } from '@/lib/cli/front/late-start';
import { heavyModules } from '@/lib/cli/steps/chunks.mjs';

type Factory = (context: { r: (id: number) => void }) => void;
type Start = { otherChunks: string[]; runtimeModuleIds: (number | string)[] };

const start = { otherChunks: ['static/chunks/a.js', 'static/chunks/b.js'], runtimeModuleIds: [7] };
const starter = `(globalThis["TURBOPACK"] || (globalThis["TURBOPACK"] = [])).push(${JSON.stringify(start)});`;
const page = (text = starter) =>
  `<head></head><body><script>(self.__next_f=self.__next_f||[]).push([0])</script><script id="_R_">${text}</script></body>`;
const made = (text?: string, heavy = { 'static/chunks/b.js': [42] }) =>
  startLate(page(text), 'http://localhost', 'idle', heavy)?.script ?? '';

/** Runs a late script as a page does, and gives the modules in the order in which they ran, after each turn of the browser. */
function turnsOf(script: string): { ran: number[]; waiting: () => number; start: Start } {
  vi.useFakeTimers();
  const ran: number[] = [];
  const pushed: unknown[] = [];
  const place = { TURBOPACK: pushed };
  new Function('self', 'globalThis', 'setTimeout', script)(place, place, setTimeout);
  const [, [, , run] = [], last] = pushed as [unknown, [string, string, Factory], Start];
  run?.({ r: (id) => void ran.push(id) });
  return { ran, waiting: () => vi.getTimerCount(), start: last };
}

describe('the start of the framework', () => {
  afterEach(() => {
    vi.useRealTimers();
    Reflect.deleteProperty(globalThis, 'TURBOPACK');
  });

  it('runs what takes long in a turn of its own, and last what needs it, once all chunks are there', () => {
    const script = made().replace(/^[\s\S]*?;\n/, '0;self.TURBOPACK.push(0);');
    const { ran, waiting, start: given } = turnsOf(script);
    expect(given).toEqual({ ...start, runtimeModuleIds: ['turns'] });
    expect(ran).toEqual([42]);
    vi.runAllTimers();
    expect(ran).toEqual([42, 7]);
    expect(waiting()).toBe(0);
  });

  it('stays as it is where nothing takes long, or where it is written in another way', () => {
    expect(made(starter, { 'static/chunks/b.js': [] })).toContain(starter);
    expect(made('webpack()')).toMatch(/webpack\(\)$/);
  });
});

describe('what the inline script is told', () => {
  const told = (starts: 'painted' | 'idle') => {
    const html = startLate(page(), 'http://localhost', starts)?.html ?? '';
    return JSON.parse(/<script id="late" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? '') as {
      now?: true;
    };
  };

  it('is to begin once a screen is painted, and on other pages when they are idle as well', () => {
    expect(told('painted').now).toBe(true);
    expect(told('idle')).not.toHaveProperty('now');
  });
});

describe('heavy modules', () => {
  const module = (length: number) => `(e)=>{e.x="${'x'.repeat(length)}"}`;
  const chunk = (parts: string) =>
    `(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(["object"==typeof document?document.currentScript:void 0,${parts}]);`;

  it('are told by their size, each by one of its names', () => {
    expect(heavyModules(chunk(`1,${module(10)},2,3,${module(200_000)},4,${module(20)}`))).toEqual([2]);
    expect(heavyModules(chunk(`1,${module(10)}`))).toEqual([]);
  });

  it('are none in a file of another kind alone', () => {
    expect(heavyModules('throw new Error("no chunk")')).toEqual([]);
    expect(heavyModules('window.x = 1')).toEqual([]);
  });
});
