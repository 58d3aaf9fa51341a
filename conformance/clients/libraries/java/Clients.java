import com.google.gson.Gson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Clients LIBRARY SETTINGS STEP...: takes the steps with the library, prints a status, or error, for each. */
class Clients {
  static final String BASE = System.getenv("PETCONFORM_TARGET");
  static final String KEY = "Bearer " + System.getenv("PETCONFORM_KEY");

  static class Pet {
    long id;
  }

  record Answer(int status, String body) {}

  interface Sender {
    Answer send(String method, String path, String body) throws Exception;
  }

  static Sender javaNet() {
    HttpClient client = HttpClient.newHttpClient();
    return (method, path, body) -> {
      var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
      HttpRequest request = HttpRequest.newBuilder(URI.create(BASE + path)).method(method, publisher)
          .header("Authorization", KEY).header("Content-Type", "application/json").build();
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    };
  }

  /** Retry-After in milliseconds: seconds, or a date. */
  static long retryAfter(Response response) {
    String value = response.header("Retry-After", "1");
    if (value.chars().allMatch(Character::isDigit)) return 1000 * Long.parseLong(value);
    ZonedDateTime date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
    return Math.max(0, Duration.between(ZonedDateTime.now(), date).toMillis()) + 1;
  }

  static Sender okHttp(boolean mended) {
    OkHttpClient.Builder builder = new OkHttpClient.Builder();
    if (mended) {
      // mend OkHttp, with a method `retryAfter` that reads seconds and dates; ids: Gson into a class with a long
      builder.retryOnConnectionFailure(false).addInterceptor(chain -> {
        Response response = chain.proceed(chain.request());
        for (int i = 0; i < 5 && (response.code() == 429 || response.code() == 503); i++) {
          response.close();
          sleep(retryAfter(response));
          response = chain.proceed(chain.request());
        }
        return response;
      });
      // end
    }
    OkHttpClient client = builder.build();
    return (method, path, body) -> {
      RequestBody content = body == null ? null : RequestBody.create(MediaType.get("application/json"), body);
      Request request = new Request.Builder().url(BASE + path).method(method, content)
          .header("Authorization", KEY).build();
      try (Response response = client.newCall(request).execute()) {
        return new Answer(response.code(), response.body().string());
      }
    };
  }

  static void sleep(long milliseconds) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(milliseconds);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** The id of the first animal of a list, as a client would print it. */
  static String firstId(String list, boolean typed) {
    if (typed) return String.valueOf(new Gson().fromJson(list, Pet[].class)[0].id);
    return String.valueOf(new Gson().fromJson(list, Map[].class)[0].get("id"));
  }

  public static void main(String[] args) {
    boolean mended = args[1].equals("mended");
    boolean typed = mended || args[0].equals("java.net.http");
    Sender sender = args[0].equals("okhttp") ? okHttp(mended) : javaNet();
    for (int i = 2; i < args.length; i++) {
      try {
        boolean create = args[i].equals("create");
        Answer answer = sender.send(create ? "POST" : "GET", "/pets",
            create ? "{\"name\":\"Rex\",\"categoryId\":1}" : null);
        if (args[i].equals("ids")) answer = sender.send("GET", "/pets/" + firstId(answer.body(), typed), null);
        System.out.println(answer.status());
      } catch (Exception e) {
        System.err.println(e);
        System.out.println("error");
      }
    }
    System.exit(0);
  }
}
