/** Draws the pictures that `pages`, as built HTML, name for shared links, below `folder`. */
export function drawSocialPictures(pages: readonly string[], folder: string): Promise<void>;
