import { answerFile, type FileQuestion } from '../../text/files/read-file.ts';

globalThis.onmessage = ({ data }: MessageEvent<FileQuestion>) => {
  void answerFile(data).then((answer) => postMessage(answer));
};
