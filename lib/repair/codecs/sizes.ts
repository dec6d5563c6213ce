/** Sizes of pictures that cameras and programs make, in pixels: they tell what of the last blocks is cut away. */
const sizes: readonly (readonly [number, number])[] = [
  [1920, 1080],
  [1280, 720],
  [3840, 2160],
  [640, 360],
  [640, 480],
  [2560, 1440],
  [854, 480],
  [848, 480],
  [852, 480],
  [720, 576],
  [720, 480],
  [1440, 1080],
  [320, 240],
  [320, 180],
  [960, 540],
  [480, 360],
  [480, 270],
  [352, 288],
  [176, 144],
  [1024, 768],
  [1024, 576],
  [800, 600],
  [426, 240],
  [400, 300],
  [256, 144],
  [160, 120],
  [128, 96],
  [1600, 900],
  [1366, 768],
  [1920, 800],
  [1920, 1200],
  [1280, 544],
  [1280, 960],
  [2704, 1520],
  [2720, 1530],
  [4096, 2160],
  [1080, 1080],
  [640, 640],
  [768, 432],
  [1920, 1440],
  [2880, 2880],
  [5312, 2988],
  [1280, 534],
  [1920, 816],
  [1200, 900],
  [720, 404],
  [640, 352],
  [640, 368],
  [160, 90],
  [1152, 648],
  [960, 720],
  [704, 576],
  [704, 480],
  [512, 288],
  [500, 500],
  [600, 600],
  [1024, 1024],
  [512, 512],
];

/** Usual sizes, lying and upright, the more usual ones first. */
export const usualSizes: readonly (readonly [number, number])[] = [
  ...sizes,
  ...sizes.filter(([width, height]) => width !== height).map(([width, height]) => [height, width] as const),
];

/** The usual size of a picture of so many blocks of `side` pixels, upright or not; null when there is none. */
export function usualSize(wide: number, high: number, side: number): readonly [number, number] | null {
  return (
    usualSizes.find(([width, height]) => Math.ceil(width / side) === wide && Math.ceil(height / side) === high) ?? null
  );
}

/** Pixels of a picture of so many blocks of `side` pixels: a usual size if there is one, 16:9 if that fits, else all of them. */
export function likelySize(wide: number, high: number, side: number): readonly [number, number] {
  const usual = usualSize(wide, high, side);
  if (usual) return usual;
  const flat = Math.round((wide * side * 9) / 32) * 2;
  if (Math.ceil(flat / side) === high) return [wide * side, flat];
  const upright = Math.round((high * side * 9) / 32) * 2;
  return Math.ceil(upright / side) === wide ? [upright, high * side] : [wide * side, high * side];
}
