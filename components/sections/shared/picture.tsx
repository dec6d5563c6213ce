import { Art, type ArtLook } from '@/components/ui/art';
import { drawings } from '@/lib/content/pictures';
import type { Picture as PictureContent } from '@/lib/content/sections';

/** A drawing that content names. */
export function Picture({ picture, ...look }: { picture: PictureContent } & ArtLook) {
  return <Art drawing={drawings[picture.drawing]} label={picture.label} {...look} />;
}
