import type { TiffField } from '../facts/photo';

const fieldNames: Record<TiffField, string> = {
  compression: 'compression',
  photometric: 'kind of colours',
  samples: 'number of colours',
  depth: 'bits of a sample',
  width: 'width',
  height: 'height',
  rowsPerStrip: 'rows of a strip',
  colours: 'table of colours',
  places: 'places of the data',
  shift: 'places of the strips behind lost bytes',
  camera: 'names of the camera and its maker',
  predictor: 'differences between neighbours',
};

/** Fields of a TIFF by their names, as a sentence lists them. */
export const fieldList = (fields: readonly TiffField[]): string => fields.map((field) => fieldNames[field]).join(', ');
