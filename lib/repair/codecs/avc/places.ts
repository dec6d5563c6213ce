/** Places of 4 by 4 blocks of luma in their order (ISO/IEC 14496-10, 6.4.3). */
export const blockX = [0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3];
export const blockY = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];
