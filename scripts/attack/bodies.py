# The worst bodies, one at a time: status, how long /healthz waits, CPU and memory. python3 bodies.py PORT PID [NAME]
import http.client, json, random, sys, threading, time
P,PID=int(sys.argv[1]),int(sys.argv[2]); ONLY=sys.argv[3] if len(sys.argv)>3 else ''
M=31_000_000
def stat(k):
    for l in open(f'/proc/{PID}/status'):
        if l.startswith(k): return int(l.split()[1])/1000
def cpu(): f=open(f'/proc/{PID}/stat').read().rsplit(')',1)[1].split(); return (int(f[11])+int(f[12]))/100
def fill(open_,unit,close): return open_+unit*((M-len(open_)-len(close))//len(unit))+close
r=random.Random(1)
mat=lambda n,m,f=lambda:repr(r.random()-.5): '['+','.join('['+','.join(f() for _ in range(m))+']' for _ in range(n))+']'
def sym(n,f=lambda:repr(r.random()*.01)):
    k=[[None]*n for _ in range(n)]
    for i in range(n):
        for j in range(i): k[i][j]=k[j][i]=f()
        k[i][i]='1'
    return '['+','.join('['+','.join(x)+']' for x in k)+']'
SEL='"selection":{"size":{"keyPoints":5}}'
CASES={
 'deep [[[[':      ('digests',lambda:fill('{"documents":','[','')),
 'objects {},':    ('digests',lambda:fill('{"documents":[','{},','{}]}')),
 'arrays [],':     ('digests',lambda:fill('{"documents":[','[],','[]]}')),
 'nested {"a":':   ('digests',lambda:fill('','{"a":','')),
 'zeros 0,':       ('digests',lambda:fill('{"documents":[','0,','0]}')),
 'nulls':          ('digests',lambda:fill('{"documents":[','null,','null]}')),
 'strings "",':    ('digests',lambda:fill('{"documents":[','"",','""]}')),
 'kernel []':      ('selections',lambda:fill('{"kernel":[','[],','[]]}')),
 'kernel 1e999':   ('selections',lambda:fill('{"kernel":[[','1e999,','1]]}')),
 'embeddings [1e999..':('selections',lambda:fill('{"embeddings":[[','1e999,','1]]}')),
 'embeddings [[0]..':('selections',lambda:fill('{"embeddings":[','[0],','[0]]}')),
 'embeddings 1 row 1.5':('selections',lambda:fill('{"embeddings":[[','1.5,','1.5]]}')),
 'embeddings 2M 1e999':('selections',lambda:'{"embeddings":['+','.join(['['+'1e999,'*399+'1]']*4990)+']}'),
 'scores 0,':      ('selections',lambda:fill('{"relevanceScores":[','0,','0]}')),
 'unknown [[0..':  ('digests',lambda:fill('{"x":[[','0,','0]]}')),
 'fields':         ('digests',lambda:'{'+','.join(f'"k{i}":1' for i in range(2_000_000))+'}'),
 '99,990 {}':      ('digests',lambda:'{"documents":['+'{},'*99_990+'{}]}'),
 '99,990 fields':  ('digests',lambda:'{"documents":[{'+','.join(f'"k{i}":1' for i in range(99_990))+'}]}'),
 'experiment {}':  ('evaluations',lambda:fill('{"metric":"summhay","bullets":[','{},','{}]}')),
 'honest docs 31MB':('digests',lambda:json.dumps({'documents':[{'id':f'd{i}','text':'The council approved a charge of four euros. '*330} for i in range(2000)],'x':1})),
 'honest embeddings 3000x384':('selections',lambda:'{"embeddings":'+mat(3000,384)+','+SEL+'}'),
 'honest kernel 1000':('selections',lambda:'{"kernel":'+sym(1000)+','+SEL+'}'),
}
for name,(path,make) in CASES.items():
    if ONLY and ONLY not in name: continue
    body=make().encode(); top=[0.0]; stop=[False]; rss=[0.0]
    def probe():
        while not stop[0]:
            t=time.time()
            try:
                c=http.client.HTTPConnection('127.0.0.1',P,timeout=120); c.request('GET','/healthz'); c.getresponse().read(); c.close()
            except Exception: pass
            top[0]=max(top[0],time.time()-t); rss[0]=max(rss[0],stat('VmRSS')); time.sleep(.005)
    base=stat('VmRSS'); th=threading.Thread(target=probe); th.start(); c0=cpu(); t=time.time()
    try:
        c=http.client.HTTPConnection('127.0.0.1',P,timeout=120); c.request('POST',f'/v1/{path}',body,{'content-type':'application/json'}); a=c.getresponse(); s=a.status; d=json.loads(a.read()); d=d.get('detail','answered') if s>=400 else 'answered'
    except Exception as e: s,d=type(e).__name__,str(e)
    t=time.time()-t; stop[0]=True; th.join()
    print(f'{name:28} {len(body)/1e6:5.1f} MB  {s}  {t:5.2f}s cpu {cpu()-c0:5.2f}s  healthz {top[0]*1000:6.0f} ms  rss {base:5.0f} -> {rss[0]:5.0f} MB  {d[:90]}',flush=True); time.sleep(.5)
