/**
 * The one inline script of ours, the same on every page and at most 2 kB once the build has made it small. It runs before the first
 * paint: platform, brand, bars and cookie card are known by then, so nothing moves later. It also does what a visitor needs before the
 * framework is there: links carry the query, and buttons that are pressed are kept for whoever starts the page.
 *
 * - `data-platform` mac or win: the query `ufrom`, else the device (as `phone_os` in client-values.ts tells it)
 * - `data-skin` mendara or chatferry, on the pages of an order, whose tokens follow it: the query `website`, else the stored one
 * - `data-hide-header`, `data-hide-footer` on tool pages: the query `hideHeader=1`, `hideFooter=1`
 * - `data-cookies` agreed, folded or open
 * - `aria-busy` on a button whose press is kept: the style sheet opens the menu or the panel of a tab by it at once
 *
 * `paint` does the first four again, for moves within the app.
 *
 * Pages whose scripts come late name them in a data block (lib/cli/front/late-start.ts): they are fetched at the first sign of a visitor
 * who wants something, else when the page is painted, has its faces and drawings, and is idle; with `now`, once it is painted. One who
 * leaves before is counted here, after the agreement.
 */
type Late = { src?: string[]; host: string; view: object; now?: true };

// A block keeps its names to itself, as the page's other scripts share one scope.
{
  const page = window as Window & {
    paint?: () => void;
    early?: Set<HTMLElement> | null;
    late?: HTMLScriptElement;
    pick?: HTMLInputElement;
  };
  const doc = document;
  const root = doc.documentElement;
  const address = location;
  const agent = navigator;
  const dataset = root.dataset;
  const query = (of = address.search) => new URLSearchParams(of);
  const stored = (key: string) => {
    try {
      return localStorage[key] as string | undefined;
    } catch {}
  };
  /** Page and parameter that are not carried on, as query.ts has them. An address has its spaces escaped, so the page ends at the first. */
  const own = /,(state|t(icket|oken|oast|ip))$|^\/(pa|pen|log|re[gs]).*,(orderId|redirect_uri|from|website)$/;
  const hasAgreed = () => stored('isAgreeCookie') === 'true';

  const paint = () => {
    const given = query();
    const from = given.get('ufrom') as string;
    dataset.platform = /^(mac|win)$/.test(from)
      ? from
      : /Maci/.test(agent.userAgent) && agent.maxTouchPoints < 2
        ? 'mac'
        : 'win';
    dataset.cookies = hasAgreed() ? 'agreed' : stored('cookiesFolded') ? 'folded' : 'open';
    if (/^\/(pa|pen)/.test(address.pathname))
      dataset.skin = (given.get('website') || stored('website')) === 'whatsapp' ? 'chatferry' : 'mendara';
    else delete dataset.skin;
    for (const bar of ['Header', 'Footer'])
      root.toggleAttribute(
        `data-hide-${bar}`,
        /^\/(tools|repair-tool|.+-online)\/?$/.test(address.pathname) && given.get(`hide${bar}`) === '1',
      );
  };
  const early = new Set<HTMLElement>();
  page.paint = paint;
  page.early = early;
  paint();

  let late: Late | null | undefined;

  let isWanted = parent !== page || /[?&]t[io]/.test(address.search);
  /** Fetches the framework's scripts; one that does not come is fetched at the next sign, and nothing shows any more that it works. */
  const start = () => {
    isWanted = true;
    for (const src of late?.src?.splice(0) || []) {
      doc.head.append(
        Object.assign(doc.createElement('script'), {
          src,
          // The framework looks for scripts by it before it fetches them.
          async: true,
          onerror() {
            (late as Required<Late>).src.push(src);
            for (const target of early) target.ariaBusy = null;
          },
        }),
      );
    }
  };
  const on = (name: string, act: (event: Event) => void) => addEventListener(name, act, true);
  /** A file that is dropped where one can be chosen waits in the control, and the page is not left for it. While it is held over the page none is told. */
  const onDrag = (event: Event) => {
    const { files } = (event as DragEvent).dataTransfer as DataTransfer;
    if (page.pick && page.early) {
      event.preventDefault();
      start();
      if (files[0]) page.pick.files = files;
    }
  };
  /** Starts where the page is seen. Browsers tell of a frame before it is (Paint Timing, "report paint timing"), so the moment that they tell may lie ahead. */
  const startSeen = () => {
    const seenAt = performance.getEntriesByType('paint')[0]?.startTime as number;
    if (seenAt < performance.now()) ((!late?.now && page.requestIdleCallback) || setTimeout)(start);
    else if (!isWanted) setTimeout(startSeen, 9);
  };
  on('pointerover', start);
  on('keydown', start);
  on('dragover', onDrag);
  on('drop', onDrag);
  on('DOMContentLoaded', () => {
    // An element with an id is a property of its window (HTML, "named access on the Window object").
    late = JSON.parse((page.late?.text || 0) as string);
    if (isWanted) start();
    if (late?.now) startSeen();
  });
  on('load', startSeen);
  // A tab that nobody looks at is not painted.
  setTimeout(start, 5000);
  on('pagehide', () => {
    // What a frame shows of us, such as where a payment led to, is no visit of its own.
    if (late && parent === page && page.early && hasAgreed())
      agent.sendBeacon(
        late.host,
        JSON.stringify({ ...late.view, currDocument: address.pathname, trackId: stored('uuid') }),
      );
  });

  // Before the framework's own listeners, which stand on the document: what is kept is done once.
  on('click', (event) => {
    const target = (event.target as Element).closest?.<HTMLAnchorElement>('a[href],button');
    // Whether the framework hears presses: where it comes late, once it has done those that were kept.
    if (!target || (late ? !page.early : /reactC/.test(Object.keys(doc) as never))) return;
    if (!target.href || target.dataset.press) {
      early.add(target);
      target.ariaBusy = true as never;
      event.preventDefault();
      event.stopPropagation();
      // The agreement is given at once; what follows from it waits.
      if (target.name === 'ok') {
        localStorage.isAgreeCookie = true;
        paint();
      }
    } else if (target.origin === origin && !/^\/api\/|\.\w{2,5}$/.test(target.pathname)) {
      const brought = query(target.search);
      const carried = query(brought as never);
      for (const [name, value] of query())
        if (!(brought.has(name) || own.test([address.pathname, name] as never))) carried.append(name, value);
      target.search = carried as never;
    }
  });
}
