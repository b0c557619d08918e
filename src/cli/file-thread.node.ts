import { parentPort } from 'node:worker_threads';
import { answerFile, type FileQuestion } from '../text/files/read-file.ts';

parentPort?.on('message', (question: FileQuestion) => {
  void answerFile(question).then((answer) => parentPort?.postMessage(answer));
});
