import { createContext } from 'react';

/** True once a form was sent with an error in it: from then on its fields say what is wrong while somebody types. */
export const FormChecked = createContext(false);
