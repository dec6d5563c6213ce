import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { solveText } from '@/lib/repair/formats/pdf/cipher';
import { readTable } from '@/lib/repair/formats/pdf/cipher/anneal';
import { english as table } from '@/lib/repair/formats/pdf/cipher/english';
import { Naming } from '@/lib/repair/formats/pdf/cipher/naming';
import { Effort } from '@/lib/repair/report';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const english = `The harbour lies at the end of a long road that comes down from the hills. In the morning the boats go out while it is still
dark, and the women who sell the fish wait for them on the quay. Nobody speaks much before the sun is up. Then the first boat comes back, and
after it the others, one by one, low in the water if the night was good. The boys carry the boxes to the market hall, where the buyers stand
and look as if they wanted nothing. By noon everything is sold, the nets hang over the wall to dry, and the men sleep in the shade of the old
customs house. In the evening they mend what the sea has torn, drink a glass of wine, and talk about the weather of tomorrow.`;
const german = `Der Hafen liegt am Ende einer langen Straße, die von den Hügeln herunterkommt. Am Morgen fahren die Boote hinaus, wenn es noch
dunkel ist, und die Frauen, die den Fisch verkaufen, warten am Kai auf sie. Niemand spricht viel, bevor die Sonne aufgeht. Dann kommt das erste
Boot zurück, und danach kommen die anderen, eines nach dem anderen, tief im Wasser, wenn die Nacht gut war. Die Jungen tragen die Kisten in die
Halle, wo die Käufer stehen und so tun, als wollten sie nichts. Am Mittag ist alles verkauft, die Netze hängen zum Trocknen über der Mauer, und
die Männer schlafen im Schatten des alten Hauses. Am Abend flicken sie, was das Meer zerrissen hat, und reden über das Wetter von morgen.`;

/** Text as a subset font codes it: letters by numbers in the order of their first use. */
function coded(text: string): { runs: number[][]; codes: Map<string, number> } {
  const codes = new Map<string, number>();
  const runs = text.split('\n').map((line) =>
    Array.from(line, (letter) => {
      const code = codes.get(letter) ?? codes.size + 1;
      codes.set(letter, code);
      return code;
    }),
  );
  return { runs, codes };
}

/** The share of words that come out as they were. */
function wordsRight(text: string, texts: ReadonlyMap<number, string>, { runs }: ReturnType<typeof coded>): number {
  const words = (from: string) => from.match(/[\p{L}\p{N}]+/gu) ?? [];
  const got = words(runs.map((run) => run.map((code) => texts.get(code) ?? '').join('')).join('\n'));
  const wanted = words(text);
  return wanted.filter((word, index) => got[index] === word).length / wanted.length;
}

const plenty = () => new Effort(1e6);

describe('letters of fonts that are gone', () => {
  it.each([
    ['English', english, 0.9928],
    ['German', german, 0.748],
  ] as const)('are told by the language of the text: %s', (language, text, share) => {
    const code = coded(text);
    const solved = solveText(code.runs, plenty());
    expect(solved?.language).toBe(language);
    expect(wordsRight(text, solved?.texts ?? new Map(), code)).toBeCloseTo(share, 4);
    expect(solved?.texts.get(code.codes.get(' ') ?? 0)).toBe(' ');
  });

  it('are told where every word stands for itself, without a space', () => {
    const code = coded(english.split(/\s+/).join('\n'));
    const solved = solveText(code.runs, plenty());
    expect(wordsRight(english, solved?.texts ?? new Map(), code)).toBeCloseTo(0.9928, 4);
  });

  it('are not told where the text makes sense in no language, or is too short', () => {
    const random = randomFrom(5);
    const letter = () => String.fromCharCode(97 + Math.floor(random() * 26));
    const noise = Array.from({ length: 300 }, () =>
      Array.from({ length: 2 + Math.floor(random() * 7) }, letter).join(''),
    );
    expect(solveText(coded(noise.join(' ')).runs, plenty())).toBeNull();
    expect(solveText(coded(english.slice(0, 200)).runs, plenty())).toBeNull();
    expect(solveText([], plenty())).toBeNull();
    // Without spaces there are no words to be seen.
    expect(solveText(coded(english.replaceAll(' ', '')).runs, plenty())).toBeNull();
  });

  it('are told where fonts join them to one glyph, and are none where signs part words', () => {
    const text =
      `${english} office office traffic official specific modified profile magnificent defined refine briefing satisfied of-the sea-wall road-from hall-where wall-to`.toLowerCase();
    const joined = text
      .replace(/[^a-z -]/g, ' ')
      .replaceAll('ffi', '\ufb03')
      .replaceAll('fi', '\ufb01');
    const signs = [...new Set(joined.replaceAll(' ', ''))];
    const all = joined.split(/ +/).map((word) => Array.from(word, (sign) => signs.indexOf(sign) + 1));
    const letters = Uint8Array.from(['', ...signs], (sign) => (/[a-z]/.test(sign) ? sign.charCodeAt(0) - 96 : 0));
    const order = ['\ufb01', '\ufb03', '-'].map((sign) => signs.indexOf(sign) + 1);
    const names = new Naming({ all, order, letters, table: readTable(table) }).names('', '');
    expect(order.map((sign) => names[sign])).toEqual(['fi', 'ffi', undefined]);
    // What is longer than any word tells nothing, however much of it there is.
    const long = Array.from({ length: 300_000 }, (_, at) => (at % signs.length) + 1);
    const same = new Naming({ all: [long, ...all], order, letters, table: readTable(table) }).names('', '');
    expect(same.slice(1)).toEqual(names.slice(1));
  });

  it('are left untold when the effort for them is spent', () => {
    expect(solveText(coded(english).runs, new Effort(0))).toBeNull();
  });

  it('come back in a PDF that was cut off before its fonts, and are said to be told', async () => {
    for (const [name, share] of [
      ['libreoffice-letter', 0.8448],
      ['pdfkit-embedded', 0.8167],
    ] as const) {
      const whole = gunzipSync(readFileSync(`tests/repair/fixtures/${name}.pdf.gz`));
      const { report, output } = await repairBytes(whole.subarray(0, Math.floor(whole.length * 0.8)), 'letter.pdf');
      expect(report.verdict).toBe('partly');
      expect(report.notes.join(' ')).toContain('told by which letters follow each other in English');
      expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'text' }));
      expect(await scoreAgainst('pdf', whole, output ?? Buffer.alloc(0))).toBeCloseTo(share, 3);
    }
  });
});
