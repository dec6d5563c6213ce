import Aos from 'aos';
import { limits } from '@/lib/catalog/limits';

let isStarted = false;

/** Begins once, then only looks for the blocks of the page that is shown now. */
function watchMarked(): void {
  if (isStarted) Aos.refreshHard();
  else Aos.init({ duration: limits.animationMs, once: true, offset: 0, disableMutationObserver: true });
  isStarted = true;
}

/**
 * Marks the blocks that still lie below the viewport; the styles for the mark are in `styles/_helpers.scss`. Returns
 * the way to take the marks off again.
 */
export function riseBelow(blocks: Iterable<HTMLElement>): () => void {
  const marked: HTMLElement[] = [];
  for (const block of blocks) {
    if (block.getBoundingClientRect().top < window.innerHeight) continue;
    block.dataset.aos = 'rise';
    marked.push(block);
  }
  watchMarked();
  // An opened question moves what is below it, so the places are measured again.
  const resized = new ResizeObserver(() => Aos.refresh());
  resized.observe(document.body);
  return () => {
    resized.disconnect();
    for (const block of marked) {
      delete block.dataset.aos;
      block.classList.remove('aos-init', 'aos-animate');
    }
  };
}
