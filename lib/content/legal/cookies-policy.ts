import { brands } from '../../catalog/brands';
import { limits } from '../../catalog/limits';
import type { PageFile } from '../page';

const { generalCookieDays, localeCookieDays } = limits;
const days = (count: number) => `${count} days`;

/** Cookies policy: every cookie and stored value by name, purpose and life (lib/contract/README.md, 34). */
export default {
  name: 'Cookies Policy',
  order: 30,
  menus: [{ in: 'company', order: 40 }],
  seo: {
    title: `Cookies Policy | ${brands.mendara.name}`,
    description:
      'Every cookie and stored value of this website by name, purpose and life, and a button that takes your agreement back.',
  },
  sections: [
    {
      kind: 'pagehead',
      title: 'Cookies Policy',
      lead: 'Everything this website keeps in your browser, by name. What is not needed for the service waits until you agree.',
    },
    { kind: 'consent', title: 'Your choice' },
    {
      kind: 'prose',
      contents: true,
      blocks: [
        { title: 'What is always stored' },
        {
          text: 'These make the service work: they keep you signed in and give you the right program. They are set when they are needed, without asking.',
        },
        {
          table: {
            caption: 'Cookies and values the service needs',
            columns: ['Name', 'Where', 'What for', 'How long'],
            rows: [
              ['Authorization', 'Cookie', 'Keeps you signed in', days(generalCookieDays)],
              [
                'userInfo',
                'Cookie',
                'Your profile, to show who is signed in and to fill forms',
                days(generalCookieDays),
              ],
              [
                'token',
                'Cookie',
                'A second sign-in key; only if the sign-in provider sets one',
                days(generalCookieDays),
              ],
              [
                'visitor',
                'Cookie, not readable by scripts',
                'Your turn in the repair queue, and the list of your files on our server; set with the first file',
                '24 hours',
              ],
              [
                'sso',
                'Cookie, not readable by scripts',
                'Tells a sign-in that you began at a sign-in provider from one of another browser; only where this site uses one',
                'An hour',
              ],
              ['lang', 'Cookie', 'The language of the page, English', days(generalCookieDays)],
              ['locale', 'Cookie', 'The form of dates and numbers', days(localeCookieDays)],
              [
                'website',
                'Local storage',
                'Which product you are looking at, for the right download',
                'Until you clear it',
              ],
              ['phone_os', 'Local storage', 'Windows or Mac, for the right download', 'Until you clear it'],
              ['isAgreeCookie', 'Local storage', 'That you pressed Agree', 'Until you take it back'],
              [
                'cookiesFolded',
                'Local storage',
                'That you pressed No, thanks, to keep the banner small',
                'Until you agree',
              ],
              ['signInState', 'Session storage', 'Tells a sign-in that you began from one you didn’t', 'An hour'],
              [
                'awaitedCode',
                'Session storage',
                'Lets you enter a mailed code after the page was loaded again: the address that it went to',
                'Until it is entered, ten minutes at most',
              ],
              [
                'keptToast',
                'Session storage',
                'Shows a message again that the next page would hide',
                'Until it is shown',
              ],
              [
                'buyAttempt',
                'Session storage',
                'Makes one order of two clicks, and finds its result',
                'Until the order is over or you close the tab',
              ],
              [
                'unfinishedUploads',
                'Local storage',
                'Finds the place of a large file whose upload broke off, to go on from there: its name, size and date, and the key of its upload',
                'Until the upload is over, a day at most',
              ],
              [
                'chunkReloadAt',
                'Session storage',
                'Keeps a page from reloading again and again',
                'Until you close the tab',
              ],
            ],
          },
        },
        { title: 'What is stored after you agree' },
        {
          table: {
            caption: 'Cookies and values that need your agreement',
            columns: ['Name', 'Where', 'What for', 'How long'],
            rows: [
              [
                'uuid',
                'Cookie and local storage',
                'A random number that tells us which pages and downloads belong to one visit',
                `${days(generalCookieDays)}; local storage until you take it back`,
              ],
              ['channel', 'Cookie', 'Which advertisement or page brought you here', days(generalCookieDays)],
              [
                'loggedResult',
                'Session storage',
                'Counts the result of an order once: its number and how it ended',
                'Until you close the tab',
              ],
            ],
          },
        },
        {
          text: 'Before you agree, no visit is logged and none of these is stored. What stands in the address, such as gcid or gclid, stays in the address.',
        },
        { title: 'How to take it back' },
        {
          text: 'Press the button under [Your choice](#your-choice). It deletes uuid, channel, loggedResult and what isAgreeCookie remembers, and the banner asks again. You can also clear cookies and site data in your browser; you are then signed out.',
        },
        { title: 'More' },
        {
          text: 'What we do with personal data otherwise is in the [Privacy Policy](/privacy-policy). Questions go to our [contact page](/contact-us).',
        },
      ],
    },
  ],
} as const satisfies PageFile;
