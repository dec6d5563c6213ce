import Swiper from 'swiper';
import { A11y, Keyboard } from 'swiper/modules';

/** The place in the row, counted from 0; at its end the last screen counts as the one that is shown. */
export type Place = { at: number; isStart: boolean; isEnd: boolean };

/** What the buttons beside the row do. */
export type RowControl = { next: () => void; previous: () => void; end: () => void };

/**
 * Takes over a scroll-snap row: `box` holds `.swiper-wrapper`, and that the `.swiper-slide`s. The row goes on being
 * scrolled by the browser (`cssMode`), so that nothing moves when this arrives. Arrow keys count while the focus is in
 * the box only, since the page has other rows that they move.
 */
export function startSwiper(box: HTMLElement, onPlace: (place: Place) => void): RowControl {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const swiper = new Swiper(box, {
    modules: [A11y, Keyboard],
    cssMode: true,
    slidesPerView: 'auto',
    speed: isCalm ? 0 : 240,
    keyboard: { enabled: true, pageUpDown: false },
    a11y: {
      slideRole: 'group',
      slideLabelMessage: 'Screen {{index}} of {{slidesLength}}',
      wrapperLiveRegion: false,
      scrollOnFocus: true,
    },
  });
  const tell = () => {
    const { isBeginning, isEnd, activeIndex, slides } = swiper;
    onPlace({ at: isEnd && !isBeginning ? slides.length - 1 : activeIndex, isStart: isBeginning, isEnd });
  };
  swiper.on('slideChange toEdge fromEdge resize', tell);
  swiper.keyboard.disable();
  const listen = () => swiper.keyboard.enable();
  const ignore = () => swiper.keyboard.disable();
  box.addEventListener('focusin', listen);
  box.addEventListener('focusout', ignore);
  if (box.contains(document.activeElement)) listen();
  tell();
  return {
    next: () => swiper.slideNext(),
    previous: () => swiper.slidePrev(),
    end: () => {
      box.removeEventListener('focusin', listen);
      box.removeEventListener('focusout', ignore);
      swiper.destroy();
    },
  };
}
