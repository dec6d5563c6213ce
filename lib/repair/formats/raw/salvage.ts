import { Buffer } from '../../host/bytes';
import { repairBy } from '../../pipeline';
import { type EngineJob, LimitError, type Outcome } from '../../report';
import { jpeg } from '../jpeg';
import { largestPictures } from './previews';

/** Damaged pictures that are tried, each by the engine for JPEGs. */
const mostTried = 2;
/** Share of its blocks that a damaged picture must have kept to be taken before a smaller one that is whole. */
const leastKept = 0.5;

/** A picture inside a raw photo that was damaged itself, as the engine for JPEGs brought it back. */
export type SalvagedPreview = { data: Buffer; width: number; height: number; isPart: boolean };

/** The largest damaged picture inside that has more pixels than `larger` and of which most could be brought back; null without one. */
export async function salvagedPreview(job: EngineJob, larger: number): Promise<SalvagedPreview | null> {
  for (const { start, end, pixels } of largestPictures(job, mostTried)) {
    if (pixels <= larger) return null;
    const picture = await repaired(job, job.bytes.subarray(start, end));
    if (picture && picture.width * picture.height > larger) return picture;
  }
  return null;
}

async function repaired(job: EngineJob, bytes: Buffer): Promise<SalvagedPreview | null> {
  try {
    const outcome = await repairBy(jpeg, { ...job, bytes, format: 'jpg', progress: () => {} });
    const { verdict, output, kept } = outcome;
    const [, width, height] = /^(\d+) × (\d+)$/.exec(kept[0]?.detail ?? '') ?? [];
    if (verdict === 'unrepairable' || !width || !height || keptShare(outcome) < leastKept) return null;
    return {
      data: output.kind === 'bytes' ? Buffer.from(output.bytes) : bytes,
      width: Number(width),
      height: Number(height),
      isPart: verdict === 'partly',
    };
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}

/** The share of its blocks that a picture kept, as its report tells. */
function keptShare({ lost }: Outcome): number {
  const blocks = lost.find(({ unit }) => unit === 'blocks');
  const all = Number(/^of ([\d,]+)/.exec(blocks?.detail ?? '')?.[1]?.replaceAll(',', '') ?? 0);
  return blocks && all > 0 ? 1 - blocks.count / all : 1;
}
