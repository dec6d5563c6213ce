import { guaranteeDays } from '../../catalog/facts';
import { bothGuarantees } from '../phrases';
import type { Section } from '../sections';
import { checkoutPromise, supportPromise } from '../store';

/** Below the payment result: what was promised, and what buyers ask while they wait. */
export const packageSections = [
  {
    kind: 'promises',
    tone: 'mist',
    title: 'What comes with every plan',
    visible: true,
    promises: [
      {
        title: `${guaranteeDays.recoveryWindows} or ${guaranteeDays.everythingElse} days to change your mind`,
        text: `${bothGuarantees} Write to support and tell us your order number.`,
      },
      supportPromise,
      checkoutPromise,
    ],
  },
  {
    kind: 'faq',
    title: 'While you wait',
    questions: [
      {
        question: 'How long does this take?',
        answer:
          'A card payment is usually confirmed within seconds. Some other methods take longer; then we send the result by e-mail and you can close this page.',
      },
      {
        question: 'I closed the page. Is my order lost?',
        answer:
          'No. The order and the payment are kept. The licence code comes by e-mail, and the product is in [your account](/account).',
      },
      {
        question: 'Could I have paid twice?',
        answer: 'No. An order is charged once, however often the page is loaded or the button is pressed.',
      },
      {
        question: 'I have no account yet. How do I sign in?',
        answer:
          'We make one with the address you gave and mail you a password. Please change it after the first sign-in.',
      },
    ],
  },
] as const satisfies readonly Section[];

/** After the payment: from the download to the first start. */
export const installSections = [
  {
    kind: 'moves',
    tone: 'mist',
    title: 'How to install',
    lead: 'It takes a few minutes, on Windows and on Mac.',
    rows: [
      {
        icon: 'download',
        title: 'Download',
        text: 'Press Download above. For data recovery, save the installer on another drive than the one your files were lost from.',
      },
      {
        icon: 'package',
        title: 'Install',
        text: 'On Windows, open the .exe file and follow the steps. On Mac, open the .dmg file and drag the app into Applications.',
      },
      {
        icon: 'mail',
        title: 'Enter your licence code',
        text: 'It is in the mail we sent you and in your account, under My products.',
      },
      {
        icon: 'check',
        title: 'Start',
        text: 'The app is now in its paid version. If something does not work, write to support with your order number.',
      },
    ],
  },
] as const satisfies readonly Section[];
