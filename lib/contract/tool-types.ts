/** Type codes of the online tools (lib/contract/README.md, 90). */
export const toolTypes = { video: 17, file: 18, photo: 19 } as const;
export type ToolType = (typeof toolTypes)[keyof typeof toolTypes];
