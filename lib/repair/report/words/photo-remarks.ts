import type { Remark, Unusual } from '../facts/photo';

/** Remarks that need no figure. */
const remarks = {
  palette: 'The table of colours of the picture was lost; without it the pixels are numbers that mean nothing.',
  huffman: 'The lost unpacking tables were replaced by the ones that most cameras use.',
  tables: 'Brightness and contrast of the picture are a guess, since the tables that set them were lost.',
  inside:
    'This is a smaller picture that stood inside the file, not the photo itself, whose beginning is lost with all that is needed to unpack it.',
  lineEnds:
    'A transfer in text mode turned every line end of this file into another kind, within the picture data, too. What each of them was cannot be told.',
  unpackedNoise: 'What could be unpacked is noise or next to nothing; the tables needed to unpack it may be lost.',
  levels:
    'The beginning of the picture is lost, and with it what brightness and colours are counted from: those of the photo are a guess by what is left.',
  levelsBehind:
    'Behind the lost part brightness and colours of the picture are a guess, as they are counted from what is lost.',
  asItIs: 'Programs can show the photo as it is; rebuilding it would not have brought back more.',
  shape: 'Size and colours were found from the picture data alone, so a few rows at the end may be noise.',
  unchecked:
    'The parts of the picture were checked and it was decoded; the format has no check sums, so not every wrong bit or overwritten piece inside its data can be told.',
  sensorSizes:
    'The structure and the size of the sensor data were checked; it is not packed, so wrong values inside it cannot be told.',
  sensor:
    'The structure and the pictures inside were checked; the sensor data itself cannot be judged without the camera maker’s own software.',
};

function unusualWords(unusual: Unusual): string {
  switch (unusual.kind) {
    case 'lab':
      return 'colours of the CIE L*a*b* kind';
    case 'samples':
      return 'samples laid out in an unusual way';
    case 'packing':
      return `${unusual.name} compression`;
    case 'depth':
      return `samples of ${unusual.bits} bits`;
  }
}

/** A remark as the report tells it. */
export function noteOf(remark: Remark): string {
  switch (remark.kind) {
    case 'unusual':
      return `The picture has ${unusualWords(remark.unusual)}, which this tool does not show, so its pixels were not looked at.`;
    case 'preview':
      return `This is the JPEG picture that the camera had put inside the ${remark.of.toUpperCase()} file, not the raw photo itself; save it with the ending .jpg.`;
    default:
      return remarks[remark.kind];
  }
}
