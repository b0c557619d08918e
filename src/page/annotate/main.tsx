import { render } from 'preact';
import { Announcer } from '../parts/announcer.tsx';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { AnnotateApp } from './annotate-app.tsx';
import { labelService } from './ask-service.ts';
import '../style/base.css';
import '../style/controls.css';
import '../reading/source.css';
import './annotate.css';

const place = document.getElementById('page');
if (place === null) throw new Error('the page has no place for its content');
const service = labelService(location.hash.slice(1));
render(
  <Announcer>
    <ErrorBoundary>
      <AnnotateApp service={service} />
    </ErrorBoundary>
  </Announcer>,
  place,
);
