// What was wrong with a video, for the kinds of damage that there are several of.

export const structureDetail = {
  pictures: 'The size of the part with the pictures was wrong.',
  chain: 'The sizes of the parts of the file did not lead from one to the next.',
  between: 'What lies between the parts of the video could not be read as one of them.',
  rest: 'What follows could not be read as part of a video.',
};

export const indexDetail = {
  unfit: 'The index was missing or did not fit the file.',
  damaged: 'The index of the video was damaged.',
  parts: 'Only parts of the index of the video were left.',
  missing: 'The index of the video, which says where each frame is, is missing.',
};

export const timesDetail = {
  zeroed: 'All times were zero.',
  backwards: 'Times ran backwards.',
  apart: 'Single times lay far from those around them.',
};

export const sentAsText = {
  added: 'put a byte before every byte of value 10',
  utf8: 'wrote every byte of more than 127 as two',
  both: 'put a byte before every byte of value 10 and wrote every byte of more than 127 as two',
};
