/** Longest message to support, in UTF-16 units without the spaces around it. */
export const longestMessage = 5000;
