import { execFileSync } from 'node:child_process';
import { openSync, readSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readAac } from '../../lib/repair/video/codec/aac';
const folder = '/tmp/h-video/node_modules/.cache/mendara/bench-video/';
import { readdirSync } from 'node:fs';
it('reads', () => {
  for (const name of readdirSync(folder).filter((n) => /\.(mp4|mov|insv)$/.test(n))) {
    const out = execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'a', '-show_entries', 'packet=pos,size', '-show_entries','stream=codec_name,channels,sample_rate', '-of', 'csv=p=0', folder + name]).toString();
    const stream = out.split('\n').filter((l) => l.startsWith('aac'))[0]?.split(',');
    if (!stream) continue;
    const fd = openSync(folder + name, 'r');
    let good = 0, all = 0;
    for (const line of out.split('\n')) {
      const [size, pos] = line.split(',').map(Number);
      if (!pos || !size || Number.isNaN(size)) continue;
      const b = Buffer.alloc(2000);
      const n = readSync(fd, b, 0, 2000, pos);
      all++;
      const r = readAac(b.subarray(0, n), { frequency: stream[1] === '44100' ? 4 : 3, channels: 2 });
      if (r?.length === size) good++;
    }
    console.log(name, stream.join(), good, all);
  }
  expect(1).toBe(1);
});
