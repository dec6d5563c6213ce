import { brands } from '../../catalog/brands';
import { limits } from '../../catalog/limits';
import type { Path } from '../routes';

type AppPage = {
  path: Path;
  title: string;
  lead: string;
  leadElsewhere?: string;
  seo: { title: string; description: string };
};

const { name } = brands.mendara;

/** Headings and descriptions of the pages that belong to a visitor or to one order. */
export const appPages = {
  account: {
    path: '/account',
    title: 'Your account',
    lead: '',
    seo: { title: `Your ${name} account`, description: 'Your products and plans, your profile and your password.' },
  },
  orderLookUp: {
    path: '/order-lookup',
    title: 'Find your order',
    lead: 'For orders made without signing in. We mail you a link that opens the order with its licence code and receipt.',
    seo: {
      title: `Find a ${name} order`,
      description: 'Get a link to your order, its licence code and its receipt by e-mail.',
    },
  },
  login: {
    path: '/login',
    title: 'Sign in',
    lead: 'To see your products, change a plan or find a licence code. The online repair tools need no account.',
    seo: {
      title: `Sign in to ${name}`,
      description: `Sign in to your ${name} account with e-mail address and password.`,
    },
  },
  register: {
    path: '/register',
    title: 'Create an account',
    lead: `An account keeps your products and licence codes in one place. Buying needs none: we make one for you then. Under ${limits.minimumAge}, ask a parent first.`,
    seo: { title: `Create a ${name} account`, description: `Create a ${name} account with your e-mail address.` },
  },
  resetPassword: {
    path: '/reset-password',
    title: 'Set a new password',
    lead: 'We mail you a six-digit code. With it you set a new password, and every device is signed out.',
    leadElsewhere: 'Your password is kept by the sign-in provider of this site. You set a new one there.',
    seo: {
      title: `Set a new ${name} password`,
      description: 'Set a new password with a code that we send you by e-mail.',
    },
  },
  package: {
    path: '/packge-loading',
    title: 'Your package',
    lead: 'As soon as the payment is confirmed, your licence code goes out by e-mail and your product appears in your account.',
    seo: {
      title: 'Your package and its payment',
      description: 'We wait for your payment result and prepare your package.',
    },
  },
  paySuccess: {
    path: '/pay-success',
    title: 'Payment confirmation',
    lead: '',
    seo: {
      title: 'Payment confirmation',
      description: 'Your order, your licence code and the steps to install.',
    },
  },
  pending: {
    path: '/pending',
    title: 'Payment pending',
    lead: '',
    seo: {
      title: 'Payment pending',
      description: 'Your payment is not confirmed yet. The result is sent by e-mail.',
    },
  },
} as const satisfies Record<string, AppPage>;
