import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawSocialPictures } from '@/lib/cli/steps/social-pictures.mjs';

describe('pictures for shared links', () => {
  const html = (og: string, skin = 'mendara') =>
    [
      '<meta property="og:title" content="A title | Mendara"/><meta property="og:site_name" content="Mendara"/>',
      `<meta property="og:description" content="What &amp; why"/><meta property="og:image" content="${og}"/>`,
      `<div data-skin="${skin}"><svg viewBox="0 0 30 30" width="28"><path fill="currentColor" d="M0 0h9v9z"/></svg>`,
      '<h1>A page that nobody <em>listed</em> &amp; its heading</h1></div>',
    ].join('');

  it('are drawn for every page that names one, with nothing listed anywhere', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mendara-og-'));
    const pages = [
      html('http://localhost:3000/og/new-page.png'),
      html('https://www.example.com/og/ferry.png', 'chatferry'),
      html('https://elsewhere.example/x.png'),
      '<p>no page</p>',
    ];
    await drawSocialPictures(pages, folder);
    const drawn = (name: string) => sharp(path.join(folder, 'og', name));
    expect(readdirSync(path.join(folder, 'og')).sort()).toEqual(['ferry.png', 'new-page.png']);
    expect(await drawn('new-page.png').metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' });
    // Words are there: the strip of the heading holds white, and each skin has its field.
    const strip = await drawn('new-page.png').extract({ left: 80, top: 190, width: 700, height: 100 }).stats();
    expect(strip.channels[0]?.max).toBe(255);
    const field = async (name: string) => [
      ...(await drawn(name).extract({ left: 700, top: 480, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
    ];
    expect(await field('new-page.png')).toEqual([0x23, 0x40, 0xe0]);
    expect(await field('ferry.png')).toEqual([0x00, 0x68, 0x7a]);
    rmSync(folder, { recursive: true });
  });
});
