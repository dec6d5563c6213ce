/** What a decoder made of a file. Times in seconds of the file's own clock. */
export type Decoded = {
  frames: number;
  packets: number;
  /** Frames of picture, and pieces of sound, in which the decoder met data that it could not make sense of. */
  damagedFrames: number;
  damagedSound: number;
  /** Packets of picture at the end that the decoder took nothing of, which are in none of these counts. */
  refused: number;
  /** Where that was, as stretches of the video. */
  damagedAt: { from: number; to: number }[];
  /** End of the last frame that was decoded. */
  seconds: number;
  /** Tracks of picture that the file has and this decoder can read. */
  pictureTracks: number;
  /** Complaints of decoders of picture about broken content, of which there can be many for a frame. */
  complaints: number;
  /** The decoder came to the end of the file; false where it was ended after as much as is decoded of a file, or for its time. */
  complete: boolean;
  /** Frames of a codec that this decoder only knows the heads of: it took no picture, and says nothing of any. */
  isBlind: boolean;
  /** There is nothing to decode: the file can't be opened at all, or no track of picture or sound is found in it. */
  isEmpty: boolean;
  /** The file can't be opened: what it says of itself makes no sense to who opens files. */
  isUnopened: boolean;
};

/** Messages of a decoder about content that is broken. */
const damage =
  /damaged|unknown header|error while decoding|error submitting packet|decoding error|concealing|corrupt|cabac decode|invalid nal unit|out of range intra|unavailable for requested|illegal|slice mismatch|is not allocated|exhausted before end|exceeds limit|error at mb|decode_slice_header error|error parsing (?:nal unit|frame header|obu data|sequence header)|reference \d+ >= \d+|invalid data found|overread/i;
/** Messages about what is allowed: open groups of pictures, streams joined in the middle, references dropped early. */
const harmless =
  /co located pocs|mmco|number of reference frames|could not find ref with poc|non-existing [sp]ps|[sp]ps .{0,20}unavailable|no frame|missing reference picture|first slice|skipped by|application provided|invalid new backstep/i;

/** How ffmpeg marks the level of what it says. */
const level = /\[(panic|fatal|error|warning)\] /;
/**
 * What ffmpeg warns of when its decoder had to make up a part of a frame, which some decoders (MPEG-4 Part 2) say no other way. Frames of a
 * stream joined in the middle are marked so, too: those of a stream count once so many frames went by without.
 */
const madeUp = /: corrupt decoded frame in stream \d+/;
const joined = 12;

/** What is said when there is nothing to decode, and when a file can't be opened, by no decoder but by who opens files. */
const nothingThere = /does not contain any stream/;
const unopened =
  /^\S+: (?:Invalid data found when processing input|Cannot allocate memory|Not yet implemented in FFmpeg)/;

/** What ffmpeg says where it decodes pictures by the machine's hardware alone, as it does AV1 unless it is built with another decoder. */
const blind = /^\[\w+ @ \w+\] Your platform doesn't sup+ort hardware accelerated/;

/** `bytes` are those of a picture of four samples of luma and two of chroma, each of one byte. */
type Track = { kind: 'picture' | 'sound' | 'other'; tick: number; seen: number; bytes: number };

/** What is said of a packet that a decoder took nothing of, and of lines that were left out since they say the same. */
const refusal = /^Error while decoding stream #\d+:\d+: Invalid data/;
const again = /Last message repeated (\d+) times/;

/** What decoders of sound are called in what they say. */
const soundDecoder = /^\[(?:aac|mp[123]|mp3float|ac3|eac3|opus|vorbis|flac|alac|amrnb|amrwb|pcm|adpcm)\w* @/;

/** Packets that a decoder takes nothing of, one behind the other at the end, that are more than one that was cut off. */
const leastRefused = 2;

/** Bytes that a message counts for: a packet of which nothing is decoded takes its time, too. */
const messageBytes = 2000;

/** Stretches with errors that are told apart. */
const mostSpans = 1000;

/**
 * Reads what ffmpeg prints while it decodes a file to `framecrc`: a line for each decoded frame, errors in between. An error
 * belongs to the frame that follows it; before the first frame of its kind it is the business of a stream joined in the middle, but for
 * pictures in containers that hold whole frames (`isFramed`).
 */
export class DecodeLog {
  readonly #isFramed: boolean;
  readonly #tracks = new Map<number, Track>();
  readonly #spans: { from: number; to: number }[] = [];
  #pending: 'picture' | 'sound' | null = null;
  #frames = 0;
  #packets = 0;
  #damagedFrames = 0;
  #damagedSound = 0;
  #seconds = 0;
  #complaints = 0;
  #isEmpty = false;
  #isUnopened = false;
  #isBlind = false;
  /** Frames of picture since the last one of which a part was made up. */
  #clean = 0;
  /** Packets in a row of which nothing was taken, and whether the line before said so of one. */
  #refused = 0;
  #wasRefusal = false;
  /** Whether it was a decoder of sound that said something last. */
  #isSound = false;
  /** Bytes of pictures and sound that were decoded, with what messages count for. */
  bytes = 0;

  constructor(isFramed = false) {
    this.#isFramed = isFramed;
  }

  line(text: string): void {
    if (text.startsWith('#')) this.#header(text);
    else if (/^\d+, /.test(text)) this.#frame(text);
    else this.#message(text);
  }

  /**
   * A picture that another decoder took or refused, when it is shown and for how long, in seconds, and the bytes of it. A refused one counts
   * as a frame that is damaged.
   */
  picture(isTaken: boolean, at: number, length: number, bytes: number): void {
    const track = this.#track(0);
    track.kind = 'picture';
    track.seen++;
    this.#frames++;
    this.bytes += bytes || messageBytes;
    this.#seconds = Math.max(this.#seconds, at + length);
    if (!isTaken) this.#damaged(true, at);
  }

  #track(index: number): Track {
    const track = this.#tracks.get(index) ?? { kind: 'other', tick: 0, seen: 0, bytes: 0 };
    this.#tracks.set(index, track);
    return track;
  }

  #header(text: string): void {
    const tick = /^#tb (\d+): (\d+)\/(\d+)/.exec(text);
    if (tick) this.#track(Number(tick[1])).tick = Number(tick[2]) / Math.max(1, Number(tick[3]));
    const size = /^#dimensions (\d+): (\d+)x(\d+)/.exec(text);
    if (size) this.#track(Number(size[1])).bytes = Number(size[2]) * Number(size[3]) * 1.5;
    const media = /^#media_type (\d+): (\w+)/.exec(text);
    if (media)
      this.#track(Number(media[1])).kind = media[2] === 'video' ? 'picture' : media[2] === 'audio' ? 'sound' : 'other';
  }

  #frame(text: string): void {
    const [index = 0, , time = 0, length = 0, size = 0] = text.split(',').map(Number);
    const track = this.#track(index);
    this.bytes += Math.max(size, track.bytes, 0);
    const isPicture = track.kind === 'picture';
    const at = time * track.tick;
    if (Number.isFinite(at)) this.#seconds = Math.max(this.#seconds, at + Math.max(0, length) * track.tick);
    if (isPicture) this.#frames++;
    else this.#packets++;
    if (isPicture) this.#refused = 0;
    if (isPicture) this.#clean++;
    if (this.#pending === track.kind) {
      if (track.seen > 0 || (isPicture && this.#isFramed)) this.#damaged(isPicture, at);
      this.#pending = null;
    }
    track.seen++;
  }

  #damaged(isPicture: boolean, at: number): void {
    if (isPicture) this.#damagedFrames++;
    else this.#damagedSound++;
    const last = this.#spans.at(-1);
    if (last && Math.abs(at - last.to) < 1.5) last.to = Math.max(last.to, at);
    else if (this.#spans.length < mostSpans) this.#spans.push({ from: at, to: at });
  }

  /**
   * Some decoders (VP9) say nothing of a packet that they take nothing of; it is one of pictures then, as those of sound say what is
   * wrong with it before.
   */
  #refusal(text: string): void {
    if (soundDecoder.test(text)) this.#isSound = true;
    else if (text.startsWith('[')) this.#isSound = false;
    if (refusal.test(text) && this.#isSound) this.#pending = 'sound';
    const isOne = refusal.test(text) && this.#pending !== 'sound';
    const repeated = this.#wasRefusal ? Number(again.exec(text)?.[1] ?? 0) : 0;
    this.#wasRefusal = isOne || repeated > 0;
    this.#refused += isOne ? 1 : repeated;
    if (this.#wasRefusal && this.#pictures().some(({ seen }) => seen > 0)) this.#pending = 'picture';
  }

  #pictures(): Track[] {
    return [...this.#tracks.values()].filter(({ kind }) => kind === 'picture');
  }

  #message(line: string): void {
    this.bytes += messageBytes;
    const text = line.replace(level, '');
    this.#refusal(text);
    if (level.exec(line)?.[1] === 'warning') {
      if (madeUp.test(text) && this.#clean >= joined) this.#pending = 'picture';
      if (madeUp.test(text)) this.#clean = 0;
      return;
    }
    if (nothingThere.test(text)) this.#isEmpty = true;
    if (unopened.test(text)) this.#isUnopened = true;
    if (blind.test(text)) this.#isBlind = true;
    if (!damage.test(text) || harmless.test(text)) return;
    const decoder = /^\[(\w+) @/.exec(text)?.[1] ?? '';
    if (soundDecoder.test(text)) this.#pending = 'sound';
    else if (
      /^(?:h26[134]|hevc|mpeg|mjpeg|vp[89]|libdav1d|av1|prores|dnxhd|vc1|wmv|flv|theora|dvvideo)/.test(decoder)
    ) {
      this.#pending = 'picture';
      this.#complaints++;
    }
  }

  /** What was seen so far. */
  result(complete: boolean): Decoded {
    const isWhole = complete && (this.#isFramed || this.#frames > 0);
    const isBlind = this.#isBlind && this.#frames === 0;
    const isNothing = this.#frames + this.#packets === 0;
    const refused = isWhole && !isBlind && this.#refused >= leastRefused ? this.#refused : 0;
    if (refused > 0) this.#spans.push({ from: this.#seconds, to: this.#seconds });
    return {
      frames: this.#frames,
      packets: this.#packets,
      damagedFrames: this.#damagedFrames,
      refused,
      damagedSound: this.#damagedSound,
      damagedAt: this.#spans,
      seconds: this.#seconds,
      pictureTracks: this.#pictures().length,
      complaints: isBlind ? 0 : this.#complaints,
      complete,
      isBlind,
      isEmpty: (this.#isEmpty || this.#isUnopened) && isNothing,
      isUnopened: this.#isUnopened && isNothing,
    };
  }
}
